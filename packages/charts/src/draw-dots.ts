import type { Pen } from './pen.ts'
import { across, along, type Projection } from './projection.ts'
import { byColor, ruleOf } from './series-colors.ts'
import type { SeriesStyle } from './series-style.ts'

const MANY_DOTS = 2000

/** Draws dots, each pixel at most once. */
export function drawDots(pen: Pen, style: SeriesStyle, view: Projection, start: number, end: number): number {
  const { x, y } = style.points
  const width = Math.ceil(view.along) + 1
  const height = Math.ceil(view.across) + 1
  const seen = new Uint8Array(width * height)
  const dots: number[] = []
  for (let i = start; i < end; i++) {
    const value = y[i]!
    if (!(value >= view.min && value <= view.max)) continue
    const at = Math.round(across(view, value)) * width + Math.round(along(view, x[i]!))
    if (seen[at]) continue
    seen[at] = 1
    dots.push(i)
  }
  const radius = style.dotSize / 2
  byColor(pen, style, (rule) => {
    const mine = style.rules.length ? dots.filter((i) => ruleOf(style, y[i]!) === rule) : dots
    if (mine.length > MANY_DOTS && 'drawImage' in pen) {
      stamp(pen as CanvasRenderingContext2D, style, view, mine)
      return
    }
    pen.beginPath()
    for (const i of mine) dot(pen, along(view, x[i]!), across(view, y[i]!), radius)
    pen.fill()
  })
  return dots.length
}

/**
 * Writes many dots as pixels, which takes a tenth of the time of drawing circles. As with circles in a single shape,
 * overlaps do not become darker.
 */
function stamp(
  pen: CanvasRenderingContext2D,
  style: SeriesStyle,
  view: Projection,
  dots: readonly number[],
): void {
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
  ink.fillStyle = pen.fillStyle
  ink.fillRect(0, 0, width, height)
  pen.drawImage(picture, -size / 2, -size / 2)
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

/** Adds a dot to the path. */
export function dot(pen: Pen, x: number, y: number, radius: number): void {
  pen.moveTo(x + radius, y)
  pen.arc(x, y, radius, 0, 2 * Math.PI)
}
