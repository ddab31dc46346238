import { ImageError } from './image-error.ts'
import { paintPicture, preparePicture, type Picture } from './picture.ts'
import { stampDots } from './stamp-dots.ts'
import { SvgPen } from './svg-pen.ts'

/** Paints the chart as PNG at this number of device pixels per CSS pixel. Throws an {@link ImageError}. */
export function paintPng(picture: Picture, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')!
  const prepared = preparePicture(pen, picture)
  canvas.width = Math.round(prepared.width * scale)
  canvas.height = Math.round(prepared.height * scale)
  paintPicture(pen, prepared, scale, stampDots)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new ImageError())))
  })
}

/** Paints the chart as an SVG document. */
export function paintSvg(picture: Picture): string {
  const measure = document.createElement('canvas').getContext('2d')!
  const prepared = preparePicture(measure, picture)
  const pen = new SvgPen(prepared.width, prepared.height)
  paintPicture(pen, prepared, 1)
  return pen.toString()
}
