/** Cache of colours as `#rrggbb` on white, by CSS colour. */
const known = new Map<string, string | undefined>()

/** Returns a CSS colour or token in light mode on white as `#rrggbb`; undefined for an invalid colour. */
export function paperColor(css: string): string | undefined {
  if (!known.has(css)) known.set(css, read(css))
  return known.get(css)
}

function read(css: string): string | undefined {
  const probe = document.createElement('span')
  probe.style.colorScheme = 'light'
  probe.style.color = css
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (probe.style.color === '' || pen === null) return undefined
  document.body.append(probe)
  const resolved = getComputedStyle(probe).color
  probe.remove()
  for (const color of ['#ffffff', resolved]) {
    pen.fillStyle = color
    pen.fillRect(0, 0, 1, 1)
  }
  const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
