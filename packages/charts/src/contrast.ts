/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number]

/** Returns the WCAG 2.2 contrast of two colours, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high! + 0.05) / (low! + 0.05)
}

/** Converts a component of an sRGB colour, 0 to 255, to linear light, 0 to 1. */
export function linearPart(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linearPart(red) + 0.7152 * linearPart(green) + 0.0722 * linearPart(blue)
}
