/** Of a publication: its script and its images, as JSON. */
export const MAX_PUBLICATION = 20 * 1024 * 1024;
/** Of each image, in bytes. The command-line tool sends none that are larger. */
export const MAX_ICON = 250 * 1024;
export const MAX_PREVIEW = 1024 * 1024;
export const MAX_PREVIEWS = 3;
/** In base64, which has four characters for three bytes. */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);
export const MAX_EXTERNAL_LINKS = 5;
/** Blocks, content sources, and properties of a configuration: answers of lists contain them. */
export const MAX_PARTS = 50;
