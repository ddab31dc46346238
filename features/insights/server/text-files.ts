import { cleanTitle, type InsightContent, type Tile } from '@headwater/tile-data/contract'

/** Maximum length of a file name with its extension, in characters. */
const maxNameCharacters = 255
/** Maximum length of the extension of a code type. */
const maxEndingCharacters = 10

/** A file that stores the text of a tile. */
export interface TextFile {
  /** Name of the file, with its extension. */
  fileName: string
  /** Type of the file: `MARKDOWN` for text tiles, `SOURCE` for code tiles. */
  fileType: 'MARKDOWN' | 'SOURCE'
  /** Content of the file. */
  text: string
}

type EditorTile = Tile & { templateContent: string }

/**
 * Assigns files to the texts and code of tiles: texts to `{insight}_{title}.md`, code to `{insight}_{title}.ftl` for HTML, `.py` for
 * Python, otherwise with its code type as the extension; `TextTile` and `CodeTile` replace an empty title. If a file of another owner
 * has the name, a number is added. The definition references the files.
 * @param before the replaced version, with the files that belong to the insight
 * @param isTaken returns whether the group has a file with a name
 * @returns the definition, and the files that are new or differ from the previous version
 */
export async function storeTexts(
  content: InsightContent,
  insightName: string,
  {
    before,
    isTaken,
  }: { before: InsightContent | undefined; isTaken: (fileName: string) => Promise<boolean> },
): Promise<{ content: InsightContent; files: TextFile[] }> {
  const own = new Map(
    (before?.tiles ?? [])
      .filter(hasText)
      .map((tile) => [ownFileName(tile, insightName), tile.templateContent]),
  )
  const nameByTile = new Map(
    (before?.tiles ?? []).filter(hasText).map((tile) => [tile.id, ownFileName(tile, insightName)]),
  )
  const used = new Set<string>()
  const names = new Map<Tile, string>()
  for (const tile of content.tiles.filter(hasText)) {
    const currentName = nameByTile.get(tile.id)
    for (let number = 0; !names.has(tile); number++) {
      const name = textFileName(tile, insightName, number)
      // A text keeps its number even if the file that used the name no longer exists.
      const isOwn = own.has(name) && (number === 0 || currentName === name)
      if (used.has(name) || (!isOwn && (await isTaken(name)))) continue
      names.set(tile, name)
      used.add(name)
    }
  }
  const files = [...names].flatMap(([tile, fileName]): TextFile[] => {
    const text = tile.templateContent as string
    return own.get(fileName) === text ? [] : [{ fileName, fileType: fileTypeOf(tile), text }]
  })
  return { content: withSources(content, (tile) => names.get(tile)!), files }
}

/** Returns the texts of a stored definition with their files. */
export function textsOf(content: InsightContent, insightName: string): TextFile[] {
  return content.tiles.filter(hasText).map((tile) => ({
    fileName: ownFileName(tile, insightName),
    fileType: fileTypeOf(tile),
    text: tile.templateContent,
  }))
}

function fileTypeOf({ type }: Tile): TextFile['fileType'] {
  return type === 'Text' ? 'MARKDOWN' : 'SOURCE'
}

/** Returns the definition in which every text has its intended file name. */
export function withTextSources(content: InsightContent, insightName: string): InsightContent {
  return withSources(content, (tile) => textFileName(tile, insightName))
}

/** The old and the new name of a text file. */
export interface TextMove {
  /** Old name of the file, with its extension. */
  from: string
  /** New name of the file, with its extension. */
  to: string
}

/** Returns the old and new file names of the texts of a renamed insight. */
export function textMoves(
  content: InsightContent | undefined,
  oldInsightName: string,
  newInsightName: string,
): TextMove[] {
  const names = (content?.tiles ?? []).filter(hasText).map((tile) => ({
    from: ownFileName(tile, oldInsightName),
    to: textFileName(tile, newInsightName),
  }))
  return names.filter(({ from }, at) => names.findIndex((name) => name.from === from) === at)
}

/**
 * Returns the definition of an insight after its move: with the moved files of texts, and without the tiles whose file was not moved,
 * because a file of this name in the new group belongs to another insight.
 */
export function withMovedTexts(
  content: InsightContent,
  oldInsightName: string,
  moved: readonly TextMove[],
): InsightContent {
  const newNames = new Map(moved.map(({ from, to }) => [from, to]))
  const newName = (tile: EditorTile) => newNames.get(ownFileName(tile, oldInsightName))
  const tiles = content.tiles.filter((tile) => !hasText(tile) || newName(tile) !== undefined)
  return withSources({ ...content, tiles }, (tile) => newName(tile)!)
}

function withSources(content: InsightContent, nameOf: (tile: EditorTile) => string): InsightContent {
  return {
    ...content,
    tiles: content.tiles.map((tile) =>
      hasText(tile) ? { ...tile, source: { ...(tile.source as object), value: nameOf(tile) } } : tile,
    ),
  }
}

/** Returns the file that a stored definition references for a text tile; old definitions reference none. */
function ownFileName(tile: EditorTile, insightName: string): string {
  const { value } = tile.source as { value?: unknown }
  return typeof value === 'string' && value !== '' ? value : textFileName(tile, insightName)
}

function textFileName(tile: EditorTile, insightName: string, number = 0): string {
  const isText = tile.type === 'Text'
  const ending = `${number === 0 ? '' : `(${number})`}.${isText ? 'md' : codeEnding(tile)}`
  const base = `${insightName}_${cleanTitle(tile.title).trim() || (isText ? 'TextTile' : 'CodeTile')}`
  return `${Array.from(base)
    .slice(0, maxNameCharacters - ending.length)
    .join('')
    .trim()}${ending}`
}

/** Returns `ftl` for HTML or no code type, `py` for Python, and otherwise the code type. */
function codeEnding({ codeType }: Tile): string {
  const type = typeof codeType === 'string' ? codeType.toLowerCase().replaceAll(/[^a-z0-9]/g, '') : ''
  if (type === '' || type.startsWith('html')) return 'ftl'
  return type.startsWith('py') ? 'py' : type.slice(0, maxEndingCharacters)
}

function hasText(tile: Tile): tile is EditorTile {
  return isEditor(tile) && tile.templateContent !== ''
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
