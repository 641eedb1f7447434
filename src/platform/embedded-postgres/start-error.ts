/** A start error that the operator can fix: printed as one line, without a stack trace. */
export class StartError extends Error {
  override name = 'StartError';
}

const CHOOSE_ANOTHER = 'choose another directory with OCTAVO_DATA';

export function noSpaceLeft(directory: string): StartError {
  return new StartError(`No space is left on the disk of ${directory}. Free some, or ${CHOOSE_ANOTHER}.`);
}

/** True for what PostgreSQL writes when the disk or the quota is full. */
export function isNoSpaceMessage(text: string): boolean {
  return /No space left on device|Disk quota exceeded/i.test(text);
}

/** The message for the operator about a failed file operation in the data directory, if there is one. */
export function explainFileError(error: unknown, directory: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EACCES':
    case 'EPERM':
      return new StartError(
        `The data directory ${directory} is not writable by this account. Change its owner, or ${CHOOSE_ANOTHER}.`,
      );
    case 'EROFS':
      return new StartError(
        `The data directory ${directory} is on a read-only file system. Make it writable, or ${CHOOSE_ANOTHER}.`,
      );
    case 'EEXIST':
    case 'ENOTDIR':
      return new StartError(
        `The data directory ${directory} is a file, or below a file. Move the file, or ${CHOOSE_ANOTHER}.`,
      );
    case 'ENOENT':
    case 'ELOOP':
      return new StartError(
        `A part of the path of the data directory ${directory} does not exist. Repair the symbolic link, mount the disk, or ${CHOOSE_ANOTHER}.`,
      );
    case 'ENAMETOOLONG':
      return new StartError(
        `The path of the data directory ${directory} is too long. Choose another directory with OCTAVO_DATA.`,
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return noSpaceLeft(directory);
    default:
      return error;
  }
}
