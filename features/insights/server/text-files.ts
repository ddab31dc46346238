import { cleanTitle, type InsightContent, type Tile } from '../contract/index.ts'

/** The longest name of a file, in characters, with its extension. */
const maxNameCharacters = 255

/** A file that keeps the text of a tile. */
export interface TextFile {
  fileName: string
  fileType: 'MARKDOWN' | 'SOURCE'
  text: string
}

type EditorTile = Tile & { templateContent: string }

/**
 * The files that keep what is written in editors: texts in `{insight}_{title}.md`, code in `{insight}_{title}.ftl` when
 * it is HTML and `.py` when it is Python; `TextTile` and `CodeTile` stand for a title that is empty. Only those that are
 * new or differ from the version before.
 */
export function textFilesOf(
  content: InsightContent,
  insightName: string,
  before: InsightContent | undefined,
): TextFile[] {
  const known = new Map(
    (before?.tiles ?? []).filter(isEditor).map((tile) => [textFileName(tile, insightName), tile]),
  )
  return content.tiles
    .filter(isEditor)
    .map((tile): TextFile => ({
      fileName: textFileName(tile, insightName),
      fileType: tile.type === 'Text' ? 'MARKDOWN' : 'SOURCE',
      text: tile.templateContent,
    }))
    .filter(({ fileName, text }) => text !== '' && known.get(fileName)?.templateContent !== text)
}

/** The definition in which what is written in an editor names the file that keeps it as well. */
export function withTextSources(content: InsightContent, insightName: string): InsightContent {
  return {
    ...content,
    tiles: content.tiles.map((tile) =>
      isEditor(tile) && tile.templateContent !== ''
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
  const tiles = (content?.tiles ?? []).filter(isEditor).filter((tile) => tile.templateContent !== '')
  const names = tiles.map((tile) => ({
    from: textFileName(tile, oldInsightName),
    to: textFileName(tile, newInsightName),
  }))
  return names.filter(({ from }, at) => names.findIndex((name) => name.from === from) === at)
}

function textFileName(tile: EditorTile, insightName: string): string {
  const isText = tile.type === 'Text'
  const ending = isText ? '.md' : `.${codeEnding(tile)}`
  const base = `${insightName}_${cleanTitle(tile.title).trim() || (isText ? 'TextTile' : 'CodeTile')}`
  return `${Array.from(base)
    .slice(0, maxNameCharacters - ending.length)
    .join('')
    .trim()}${ending}`
}

function codeEnding({ codeType }: Tile): string {
  return typeof codeType === 'string' && /^py/i.test(codeType) ? 'py' : 'ftl'
}

function isEditor(tile: Tile): tile is EditorTile {
  const { source } = tile
  return (
    ['Text', 'CODE'].includes(tile.type) &&
    typeof tile.templateContent === 'string' &&
    typeof source === 'object' &&
    source !== null &&
    'type' in source &&
    source.type === 'EDITOR'
  )
}
