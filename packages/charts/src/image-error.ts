/** Error for a picture that is too large for the browser to create. */
export class ImageError extends Error {
  constructor() {
    super('Can not create image. Too many data.')
  }
}
