import type { DisplayColumn, MenuAction, TableTile } from '@headwater/tile-data/core'
import { useInsightData, useRowPreview } from '@headwater/tile-data/web'

/** An action of the menu of a row. */
export interface RowAction {
  /** Text in the menu. */
  label: string
  /** Whether it only scrolls. */
  isScroll: boolean
  /** Runs the action for a row. */
  run: (row: readonly string[]) => void
}

/** Returns the custom actions of a table whose tiles exist. */
export function useRowActions(table: TableTile, columns: readonly DisplayColumn[]): RowAction[] {
  const { content } = useInsightData()
  const { setPreview } = useRowPreview()
  if (!table.customActionsEnabled) return []
  return table.contextMenuActions.flatMap((action) => {
    const tiles = action.tileIds.flatMap((id) => content.tiles.find((tile) => tile.id === id) ?? [])
    const [first] = tiles
    if (first === undefined) return []
    const isScroll = action.type === 'scrollToTile'
    return [
      {
        label: action.label || labelOf(action, first.title || 'Untitled'),
        isScroll,
        run(row) {
          if (!isScroll) setPreview({ tileIds: tiles.map(({ id }) => id), values: valuesOf(row, columns) })
          if (isScroll || action.scrollOnPreview) scrollToTile(first.id)
        },
      },
    ]
  })
}

function labelOf({ type }: MenuAction, title: string): string {
  return type === 'scrollToTile' ? `Go to ${title}` : `Preview details in ${title}`
}

/** Returns the texts of a row by column, for other tiles. */
function valuesOf(row: readonly string[], columns: readonly DisplayColumn[]): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap(({ settings, result: { kind, index } }) =>
      (kind === 'symbol' || kind === 'text') && row[index] !== '' ? [[settings.columnId, row[index]!]] : [],
    ),
  )
}

function scrollToTile(id: string): void {
  document
    .querySelector(`[data-tile-id="${CSS.escape(id)}"]`)
    ?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
}
