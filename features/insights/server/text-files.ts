import { cleanTitle, type InsightContent, type Tile } from '../contract/index.ts'

/** The longest name of a file, in characters, with its extension. */
const maxNameCharacters = 255

/**
 * The files that keep the texts of text tiles: `{insight}_{title}.md`, or `{insight}_TextTile.md` for one without a
 * title. Only those that are new or differ from the version before.
 */
export function textFilesOf(
  content: InsightContent,
  insightName: string,
  before: InsightContent | undefined,
): { fileName: string; text: string }[] {
  const known = new Map(
    (before?.tiles ?? []).filter(isEditorText).map((tile) => [textFileName(tile, insightName), tile]),
  )
  return content.tiles
    .filter(isEditorText)
    .map((tile) => ({ fileName: textFileName(tile, insightName), text: tile.templateContent }))
    .filter(({ fileName, text }) => text !== '' && known.get(fileName)?.templateContent !== text)
}

/** The definition in which each text of an editor names the file that keeps it as well. */
export function withTextSources(content: InsightContent, insightName: string): InsightContent {
  return {
    ...content,
    tiles: content.tiles.map((tile) =>
      isEditorText(tile) && tile.templateContent !== ''
        ? { ...tile, source: { ...(tile.source as object), value: textFileName(tile, insightName) } }
        : tile,
    ),
  }
}

/** The files of the texts of an insight under its old and its new name. */
export function textFileNames(
  content: InsightContent | undefined,
  oldInsightName: string,
  newInsightName: string,
): { from: string; to: string }[] {
  const tiles = (content?.tiles ?? []).filter(isEditorText).filter((tile) => tile.templateContent !== '')
  const names = tiles.map((tile) => ({
    from: textFileName(tile, oldInsightName),
    to: textFileName(tile, newInsightName),
  }))
  return names.filter(({ from }, at) => names.findIndex((name) => name.from === from) === at)
}

function textFileName({ title }: Tile, insightName: string): string {
  const base = `${insightName}_${cleanTitle(title).trim() || 'TextTile'}`
  return `${Array.from(base)
    .slice(0, maxNameCharacters - 3)
    .join('')
    .trim()}.md`
}

function isEditorText(tile: Tile): tile is Tile & { templateContent: string } {
  const { source } = tile
  return (
    tile.type === 'Text' &&
    typeof tile.templateContent === 'string' &&
    typeof source === 'object' &&
    source !== null &&
    'type' in source &&
    source.type === 'EDITOR'
  )
}
