const labels: Readonly<Record<string, string>> = {
  headerBoxes: 'Header boxes',
  inputParams: 'Input parameters',
  datapreps: 'Tile data',
  mapData: 'Map data',
  mapConfig: 'Map settings',
  summaryConfig: 'Summary settings',
  colorScheme: 'Colours',
  chartSync: 'Chart cursor and zoom',
  templateContent: 'Tile text',
  is_self_activation_required: 'Form for visitors',
  self_activation_tiles: 'Tiles visible before the form',
}

/** Returns the name of a part of an insight: `headerBoxes` is Header boxes, `titleTooltipText` is Title tooltip text. */
export function partLabel(name: string): string {
  const label = labels[name] ?? name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  return (
    label.charAt(0).toUpperCase() + label.slice(1).replace(/ [A-Z](?=[a-z])/g, (part) => part.toLowerCase())
  )
}

/** Returns the name of a field from its path: `series[0].label` is Series 1 › label. */
export function pathLabel(path: string): string {
  const [first = '', ...rest] = path.split('.').map((part) => {
    const [, name = '', index] = /^(.*?)(?:\[(\d+)\])?$/.exec(part) ?? []
    return index === undefined ? partLabel(name) : `${partLabel(name)} ${Number(index) + 1}`
  })
  return [first, ...rest.map((part) => part.charAt(0).toLowerCase() + part.slice(1))].join(' › ')
}

/** Returns a value as text: each entry of lists, each set field of parts. */
export function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null || value === undefined) return 'none'
  if (Array.isArray(value)) return value.map(valueText).join('; ') || 'none'
  if (typeof value !== 'object') return String(value as string | number)
  const fields = Object.entries(value).filter(([, inner]) => !isEmpty(inner))
  const texts = fields.map(([name, inner]) => {
    const text = valueText(inner)
    return `${partLabel(name)}: ${typeof inner === 'object' ? `(${text})` : text}`
  })
  return texts.join(', ') || 'none'
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
