import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { TileDataPrep } from '@headwater/tile-data/contract'
import { symbolName, symbolSignature } from '@headwater/tile-data/core'
import { IconButton } from '@headwater/web-kit'
import { AddButton } from './AddButton.tsx'
import type { TileEditorProps } from '../tiles/tile-view.ts'
import styles from './Editor.module.css'
import { SeriesPicker, type PickedSeries } from './SeriesPicker.tsx'

/** The list of the series that a tile queries. */
export function SeriesRows({
  dataPrep,
  onChangeData,
  isPicking,
  onPicking,
}: Pick<TileEditorProps, 'dataPrep' | 'isPicking' | 'onPicking'> & {
  onChangeData: (prep: TileDataPrep) => void
}) {
  const { symbols } = dataPrep
  function add(picked: PickedSeries[]) {
    onPicking(false)
    const next = [...symbols]
    for (const { groupName, symbols: map, column } of picked) {
      const key = symbolSignature(groupName, map)
      const at = next.findIndex((entry) => symbolSignature(entry.groupName, entry.symbols) === key)
      const known = next[at]
      if (known === undefined) next.push({ groupName, symbols: map, valueColumnNames: [column] })
      else if ((known.valueColumnNames ?? []).length > 0)
        next[at] = { ...known, valueColumnNames: [...new Set([...(known.valueColumnNames ?? []), column])] }
    }
    onChangeData({ ...dataPrep, symbols: next })
  }
  return (
    <div>
      <p className={styles.heading}>Series</p>
      {symbols.map((entry, index) => (
        <div key={index} className={styles.row}>
          <span title={`${entry.groupName}: ${symbolName(entry.symbols)}`}>
            {symbolName(entry.symbols)}{' '}
            <span className={styles.quiet}>{(entry.valueColumnNames ?? []).join(', ') || 'all columns'}</span>
          </span>
          <IconButton
            label={`Remove ${symbolName(entry.symbols)}`}
            icon={<IconTrash size={16} stroke={1.6} />}
            onClick={() => onChangeData({ ...dataPrep, symbols: symbols.toSpliced(index, 1) })}
          />
        </div>
      ))}
      <AddButton onClick={() => onPicking(true)}>Add series</AddButton>
      <SeriesPicker
        open={isPicking}
        groupName={symbols.at(-1)?.groupName}
        valueTypes="all"
        onClose={() => onPicking(false)}
        onPick={add}
      />
    </div>
  )
}
