import type { StampDots } from './draw-dots.ts'
import { across, along } from './projection.ts'

/**
 * Writes dots as pixels of a canvas, which is ten times as fast as drawing circles. Overlaps do not become darker, as with
 * circles in a single shape.
 */
export const stampDots: StampDots = (pen, style, view, dots) => {
  const canvas = pen as CanvasRenderingContext2D
  const { x, y } = style.points
  const size = Math.ceil(style.dotSize) + 2
  const width = Math.ceil(view.along) + size
  const height = Math.ceil(view.across) + size
  const disc = discOf(style.dotSize / 2, size)
  const mask = new ImageData(width, height)
  const pixels = new Uint32Array(mask.data.buffer)
  for (const i of dots) {
    let at = Math.round(across(view, y[i]!)) * width + Math.round(along(view, x[i]!))
    for (let row = 0; row < size; row++, at += width) {
      for (let column = 0; column < size; column++) {
        const ink = disc[row * size + column]!
        if (ink > pixels[at + column]!) pixels[at + column] = ink
      }
    }
  }
  const picture = new OffscreenCanvas(width, height)
  const ink = picture.getContext('2d')!
  ink.putImageData(mask, 0, 0)
  ink.globalCompositeOperation = 'source-in'
  ink.fillStyle = canvas.fillStyle
  ink.fillRect(0, 0, width, height)
  canvas.drawImage(picture, -size / 2, -size / 2)
}

/** Returns the coverage of each pixel of a square by a centred disc, as the opacity of a black pixel. */
function discOf(radius: number, size: number): Uint32Array {
  const disc = new Uint32Array(size * size)
  for (let i = 0; i < disc.length; i++) {
    const far = Math.hypot((i % size) + 0.5 - size / 2, Math.floor(i / size) + 0.5 - size / 2)
    disc[i] = Math.round(255 * Math.min(1, Math.max(0, radius + 0.5 - far))) * 0x1_00_00_00
  }
  return disc
}
