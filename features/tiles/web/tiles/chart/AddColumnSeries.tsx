import {
  symbolName,
  symbolsIn,
  type ResultColumn,
  type LoadedResult,
  newChartSeries,
  type ChartSeries,
} from '@headwater/tile-data/core'
import { countOf, Menu, type MenuEntry } from '@headwater/web-kit'
import { AddButton } from '../../editor/AddButton.tsx'
import styles from '../../editor/Editor.module.css'

/** Maximum number of symbols in the menu. */
const maxOffered = 30

/** Adds a series from a column of another data source: for one symbol, for every symbol, or for all rows. */
export function AddColumnSeries({
  source: { results, columns },
  onAdd,
}: {
  source: { results: readonly LoadedResult[] | undefined; columns: readonly ResultColumn[] }
  onAdd: (series: ChartSeries) => void
}) {
  const values = columns.filter(({ kind }) => kind === 'number')
  const symbols = (results ?? [])
    .flatMap(({ result }) => symbolsIn(result))
    .filter((symbol) => symbolName(symbol) !== '')
  const items = values.flatMap(({ name: column }): MenuEntry[] => {
    if (symbols.length === 0)
      return [{ label: column, onClick: () => onAdd(newChartSeries({ label: column, column })) }]
    const every: MenuEntry = {
      label: `Every symbol, ${column}`,
      onClick: () => onAdd(newChartSeries({ column, dynamic: true })),
    }
    const single = symbols.slice(0, maxOffered).map((symbol): MenuEntry => {
      const label = [symbolName(symbol), values.length > 1 ? column : '']
        .filter((text) => text !== '')
        .join(' ')
      return {
        label: `${symbolName(symbol)}, ${column}`,
        onClick: () => onAdd(newChartSeries({ label, column, symbolList: [symbol] })),
      }
    })
    const omitted = symbols.length - single.length
    const note: MenuEntry[] =
      omitted === 0 ? [] : [{ heading: `${countOf(omitted, 'more symbol')} in “Every symbol”` }]
    return [every, ...single, ...note]
  })
  if (items.length === 0)
    return (
      <p className={styles.quiet}>
        {results === undefined
          ? 'Choose the data first, then add its columns as series.'
          : 'The data has no numeric columns.'}
      </p>
    )
  return <Menu trigger={<AddButton>Add series</AddButton>} items={items} />
}
