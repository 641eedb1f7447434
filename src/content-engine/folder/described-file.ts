import type { Hash } from '../map/index.ts';

export interface FileDescription {
  readonly contentType: string;
  readonly dimensions?: { readonly width: number; readonly height: number };
}

export interface DescribedFile extends FileDescription {
  readonly hash: Hash;
  readonly size: number;
}
