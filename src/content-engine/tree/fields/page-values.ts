import type { ContentRef } from '../content-ref.ts';

export interface PageCover {
  readonly ref?: CoverRef;
  readonly refDark?: CoverRef;
  readonly yPos: number;
}

export type CoverRef = Extract<ContentRef, { readonly kind: 'file' | 'url' }>;

export type Variables = Readonly<Record<string, VariableValue>>;
export type VariableValue = string | number | boolean;
