/** The size in CSS pixels, as a browser shows it. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}
