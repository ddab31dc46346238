import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconBasket from '@tabler/icons-react/dist/esm/icons/IconBasket.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconReplace from '@tabler/icons-react/dist/esm/icons/IconReplace.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { listValueColumns } from '@headwater/symbols/contract'
import {
  Badge,
  Button,
  call,
  EmptyState,
  IconButton,
  message,
  MultiSelect,
  routeKey,
  Tabs,
} from '@headwater/web-kit'
import { useInsightData } from '@headwater/tile-data/web'
import {
  AddButton,
  editorStyles as editor,
  RangeFields,
  SeriesPicker,
  type PickedSeries,
} from '@headwater/tiles/web'
import { coversPage, InsightPanel } from '../components/InsightPanel.tsx'
import {
  seriesRange,
  basketProblem,
  itemName,
  itemProblem,
  manyItems,
  moved,
  newItem,
  swapped,
  withAdded,
  type Basket,
  type BasketItem,
} from '@headwater/tile-data/core'
import { usePendingBasket } from './pending-basket.ts'
import styles from './BasketPanel.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const
const [dataTab, settingsTab] = ['DATA', 'SETTINGS'] as const

/**
 * The panel of the basket: its items, and the part of them that tiles display. Changes take effect when they are
 * applied.
 */
export default function BasketPanel({
  onApply,
  onClose,
}: {
  onApply: (basket: Basket) => void
  onClose: () => void
}) {
  const { basket: applied } = useInsightData()
  const [basket, setBasket] = useState(applied)
  const [seen, setSeen] = useState(applied)
  if (seen !== applied) {
    setSeen(applied)
    setBasket(applied)
  }
  const { items, settings } = basket
  const [tab, setTab] = useTab(items.length)
  const [picking, setPicking] = useState<'add' | number>()
  const isChanged = JSON.stringify(basket) !== JSON.stringify(applied)
  const setItems = (next: readonly BasketItem[]) => setBasket({ ...basket, items: next })

  function pick(picked: PickedSeries[]) {
    if (typeof picking === 'number') {
      const [first] = picked
      if (first !== undefined) setItems(swapped(items, picking, first))
    } else {
      const added = picked.map(({ groupName, symbols, column }) =>
        newItem({ groupName, symbols, valueColumnNames: [column] }),
      )
      setItems(withAdded(items, added))
    }
    setPicking(undefined)
  }
  function apply(): boolean {
    const problem = basketProblem(basket)
    if (problem === undefined) onApply(basket)
    else message(problem, 'error')
    if (problem === undefined && coversPage()) onClose()
    return problem === undefined
  }
  usePendingBasket(isChanged ? apply : undefined)
  return (
    <InsightPanel title="Basket" onClose={onClose}>
      <Tabs
        label="Basket"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: dataTab, label: dataTab, count: items.length },
          { value: settingsTab, label: settingsTab },
        ]}
      />
      <div className={editor.fields} role="tabpanel" aria-label={tab}>
        {tab === dataTab ? (
          <>
            {items.length === 0 ? (
              <EmptyState icon={<IconBasket size={20} stroke={1.6} />} title="The basket is empty">
                Tiles that use the basket show the series you add here.
              </EmptyState>
            ) : (
              <ul className={styles.items} aria-label="Items of the basket">
                {items.map((item, index) => (
                  <Item
                    key={index}
                    item={item}
                    isFirst={index === 0}
                    isLast={index === items.length - 1}
                    onChange={(fields) => setItems(items.with(index, { ...item, ...fields }))}
                    onMove={(by) => setItems(moved(items, index, by))}
                    onSwap={() => setPicking(index)}
                    onRemove={() => setItems(items.toSpliced(index, 1))}
                  />
                ))}
              </ul>
            )}
            <AddButton onClick={() => setPicking('add')}>Add to the basket</AddButton>
          </>
        ) : (
          <RangeFields
            tile={settings as never}
            onChange={(fields) =>
              setBasket({ ...basket, settings: seriesRange.parse({ ...settings, ...fields }) })
            }
          />
        )}
        <div className={styles.foot}>
          <Button variant="primary" disabled={!isChanged} onClick={apply}>
            Apply
          </Button>
          {isChanged ? (
            <>
              <Button variant="quiet" onClick={() => setBasket(applied)}>
                Reset
              </Button>
              <span className={styles.pending}>Changes not applied</span>
            </>
          ) : null}
        </div>
      </div>
      <SeriesPicker
        open={picking !== undefined}
        groupName={items.at(-1)?.groupName}
        valueTypes="all"
        onClose={() => setPicking(undefined)}
        onPick={pick}
      />
    </InsightPanel>
  )
}

/** Returns the open tab, which the URL contains as `basket`. With many items, the items always come first. */
function useTab(count: number): [tab: string, setTab: (tab: string) => void] {
  const [search, setSearch] = useSearchParams()
  const [chosen, setChosen] = useState<string>()
  const named = search.get('basket')?.toUpperCase() === settingsTab ? settingsTab : dataTab
  const tab = chosen ?? (count > manyItems ? dataTab : named)
  return [
    tab,
    (next) => {
      setChosen(next)
      const changed = new URLSearchParams(search)
      if (next === settingsTab) changed.set('basket', 'settings')
      else changed.delete('basket')
      setSearch(changed, { replace: true, preventScrollReset: true })
    },
  ]
}

function Item({
  item,
  isFirst,
  isLast,
  onChange,
  onMove,
  onSwap,
  onRemove,
}: {
  item: BasketItem
  isFirst: boolean
  isLast: boolean
  onChange: (fields: Partial<BasketItem>) => void
  onMove: (by: -1 | 1) => void
  onSwap: () => void
  onRemove: () => void
}) {
  const name = itemName(item)
  const problem = itemProblem(item)
  const { groupName, previewAccess } = item
  return (
    <li className={styles.item} aria-label={name}>
      <div className={styles.head}>
        <span className={styles.name} title={`${groupName}: ${name}`}>
          <span>{name}</span>
          <small>{groupName}</small>
        </span>
        {item.pattern ? <Badge>pattern</Badge> : null}
        {previewAccess ? (
          <Badge icon={<IconLock size={12} stroke={1.6} />}>read only</Badge>
        ) : (
          <>
            <IconButton
              label={`Move ${name} up`}
              icon={<IconArrowUp {...icon} />}
              disabled={isFirst}
              onClick={() => onMove(-1)}
            />
            <IconButton
              label={`Move ${name} down`}
              icon={<IconArrowDown {...icon} />}
              disabled={isLast}
              onClick={() => onMove(1)}
            />
            <IconButton label={`Swap ${name}`} icon={<IconReplace {...icon} />} onClick={onSwap} />
            <IconButton label={`Remove ${name}`} icon={<IconTrash {...icon} />} onClick={onRemove} />
          </>
        )}
      </div>
      {previewAccess ? (
        <small className={editor.quiet}>{item.valueColumnNames.join(', ') || 'all columns'}</small>
      ) : (
        <div className={styles.columns}>
          <ColumnsField item={item} name={name} problem={problem} onChange={onChange} />
        </div>
      )}
    </li>
  )
}

function ColumnsField({
  item,
  name,
  problem,
  onChange,
}: {
  item: BasketItem
  name: string
  problem: string | undefined
  onChange: (fields: Partial<BasketItem>) => void
}) {
  const input = { query: { groupName: item.groupName } }
  const columns = useQuery({
    queryKey: routeKey(listValueColumns, input),
    queryFn: ({ signal }) => call(listValueColumns, input, { signal }),
  })
  return (
    <MultiSelect
      label={`Columns of ${name}`}
      hideLabel
      value={item.valueColumnNames}
      placeholder="All columns"
      allowFree={item.pattern}
      error={problem}
      options={(columns.data?.items ?? []).map((column) => ({ value: column.name, label: column.name }))}
      onChange={(valueColumnNames) => onChange({ valueColumnNames })}
    />
  )
}
