/** A picture of a chart that is larger than the browser can create. */
export class ImageError extends Error {
  constructor() {
    super('Can not create image. Too many data.')
  }
}
