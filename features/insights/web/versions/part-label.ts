const labels: Readonly<Record<string, string>> = {
  headerBoxes: 'Header boxes',
  inputParams: 'Input parameters',
  datapreps: 'Data of tiles',
  mapData: 'Map data',
  mapConfig: 'Map settings',
  summaryConfig: 'Summary settings',
  colorScheme: 'Colours',
  is_self_activation_required: 'Form for visitors',
  self_activation_tiles: 'Tiles before the form',
}

/** What a part of an insight is called: `headerBoxes` is Header boxes, `templateContent` is Template content. */
export function partLabel(name: string): string {
  const words = labels[name] ?? name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  return (
    words.charAt(0).toUpperCase() + words.slice(1).replace(/ [A-Z](?=[a-z])/g, (part) => part.toLowerCase())
  )
}
