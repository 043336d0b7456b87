// Placeholder for the lane pyramid (written next).
export interface LanePyramid {
  readonly levels: number;
}
