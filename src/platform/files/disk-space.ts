import { statfs } from 'node:fs/promises';
import type { Files } from './store/files.ts';
import { FilesError } from './store/files-error.ts';

/** Free space on the disk of a folder, compared with the reserve. */
export interface DiskSpace {
  /** Rejects (`no-space`) if these bytes would use the reserve. */
  requireFor(bytes: number): Promise<void>;
  /** Whether less than half of the reserve is left, so that every write is refused. At most a second old. */
  isNearlyFull(): Promise<boolean>;
}

export const UNLIMITED_DISK: DiskSpace = {
  requireFor: () => Promise.resolve(),
  isNearlyFull: () => Promise.resolve(false),
};

const MEASURED_EVERY_MS = 1000;

/** `reserve` 0: nothing is measured. The folder must exist. */
export async function openDiskSpace(folder: string, reserve: number): Promise<DiskSpace> {
  if (reserve === 0) return UNLIMITED_DISK;
  // A disk that cannot be measured counts as not full: the write itself fails if it is.
  const measure = (): Promise<number> =>
    statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Number.POSITIVE_INFINITY,
    );
  let [free, measuredAt] = [await measure(), Date.now()];
  return {
    async requireFor(bytes) {
      free = await measure();
      if (free - bytes >= reserve) return;
      throw new FilesError(
        'no-space',
        `${megabytes(free)} are free on the disk of ${folder}; ${megabytes(reserve)} are reserved for the database (OCTAVO_DISK_RESERVE). Free some space, or use a larger disk.`,
      );
    },
    async isNearlyFull() {
      if (Date.now() - measuredAt > MEASURED_EVERY_MS) {
        measuredAt = Date.now();
        free = await measure();
      }
      return free < reserve / 2;
    },
  };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

/** Refuses content while there is still space for the database. */
export const withDiskSpace = (files: Files, disk: DiskSpace): Files => ({
  ...files,
  requireSpace: (bytes) => disk.requireFor(bytes),
  async put(content, options) {
    await disk.requireFor(content instanceof Uint8Array ? content.byteLength : 0);
    return files.put(content, options);
  },
});
