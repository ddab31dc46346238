import { type KeyboardEvent, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconBasket from '@tabler/icons-react/dist/esm/icons/IconBasket.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { searchSymbols } from '@headwater/symbols/contract'
import {
  ActionsButton,
  Badge,
  Button,
  call,
  type Column,
  countOf,
  DataTable,
  EmptyState,
  GroupLink,
  IconButton,
  Kbd,
  links,
  Menu,
  pageSizes,
  routeKey,
  SelectionBar,
  toast,
} from '@headwater/web-kit'
import type { DataPrepSymbol } from '../../../contract/index.ts'
import {
  type BasketEntry,
  columnsText,
  entryName,
  entryProblem,
  fillText,
  groupColumnWidth,
  movedBy,
  offsetText,
  toBasketEntry,
  withRestored,
} from '../basket.ts'
import { PreviewTable } from '../charts/PreviewTable.tsx'
import type { DraftAction, PrepDraft } from '../draft.ts'
import { visibleGroupLength, symbolQuery } from '../table/SymbolsTab.tsx'
import styles from './BasketTab.module.css'

const icon = { size: 16, stroke: 1.6 } as const

/** Tab with the entries of the basket, and the first rows of the result below. */
export function BasketTab({
  draft,
  opened,
  disabled,
  onOpen,
  onChange,
  onAdd,
}: {
  draft: PrepDraft
  /** Entries whose editor is open. */
  opened: ReadonlySet<string>
  disabled: boolean
  onOpen: (keys: ReadonlySet<string>) => void
  onChange: (action: DraftAction) => void
  /** Opens the symbols. */
  onAdd: () => void
}) {
  const { basket, settings } = draft
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const present = useMemo(() => new Set(basket.map(({ key }) => key)), [basket])
  const chosen = new Set([...selected].filter((key) => present.has(key)))
  const width = useMemo(
    () => groupColumnWidth(basket.map(({ entry }) => (entry.groupName ?? '').slice(0, visibleGroupLength))),
    [basket],
  )

  function remove(keys: ReadonlySet<string>) {
    onChange({ type: 'basket', change: (all) => all.filter(({ key }) => !keys.has(key)) })
    toast({
      kind: 'info',
      title: `${countOf(keys.size, 'entry', 'entries')} removed from the basket.`,
      action: {
        label: 'Undo',
        onClick: () => onChange({ type: 'basket', change: (all) => withRestored(all, basket, keys) }),
      },
    })
  }
  function move(keys: ReadonlySet<string>, by: number) {
    onChange({ type: 'basket', change: (all) => movedBy(all, keys, by), topic: `move ${[...keys].join()}` })
  }
  function repeat({ key, entry }: BasketEntry) {
    onChange({
      type: 'basket',
      change: (all) => all.flatMap((each) => (each.key === key ? [each, toBasketEntry(entry)] : [each])),
    })
  }
  /** Alt with an arrow key moves the focused row. */
  function onKeyDown(event: KeyboardEvent) {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const at = basket[Number(row?.dataset.index)]
    if (event.key === 'Delete' && event.target === row && at !== undefined && !disabled) {
      remove(chosen.size > 0 ? chosen : new Set([at.key]))
    } else if (event.altKey && by !== undefined && at !== undefined && !disabled) {
      event.preventDefault()
      event.stopPropagation()
      move(new Set([at.key]), by)
      requestAnimationFrame(() => row!.focus({ preventScroll: true }))
    }
  }
  if (basket.length === 0) {
    return (
      <EmptyState
        icon={<IconBasket size={20} stroke={1.6} />}
        title="The basket is empty"
        action={disabled ? undefined : <Button onClick={onAdd}>Add symbols</Button>}
      >
        The data prep reads the symbols in its basket from storage.
      </EmptyState>
    )
  }
  const columns = columnsOf({
    width,
    disabled,
    dataGroupName: settings.dataGroupName,
    onOpen: ({ key }) => onOpen(new Set([key])),
    onRemove: ({ key }) => remove(new Set([key])),
    onMove: ({ key }, by) => move(new Set([key]), by),
    onRepeat: repeat,
  })
  return (
    <>
      <div className={styles.basket} data-many={basket.length > 6 || undefined} onKeyDownCapture={onKeyDown}>
        <DataTable
          label="Basket"
          rowHeight={36}
          columns={columns}
          rows={basket}
          rowKey={rowKey}
          {...(disabled ? {} : { selected: chosen, onSelectedChange: setSelected })}
          {...(opened.size === 1 ? { activeKey: [...opened][0]! } : {})}
          onOpenRow={({ key }) => onOpen(new Set([key]))}
        />
      </div>
      {disabled ? null : (
        <button type="button" className={styles.add} onClick={onAdd}>
          <IconPlus size={15} stroke={1.6} aria-hidden="true" />
          Add symbols
          <Kbd keys="a" />
        </button>
      )}
      <PreviewTable draft={draft} />
      <SelectionBar count={chosen.size} onClear={() => setSelected(new Set())}>
        <Button size="small" icon={<IconPencil {...icon} />} onClick={() => onOpen(chosen)}>
          Edit
        </Button>
        <Button size="small" icon={<IconArrowUp {...icon} />} onClick={() => move(chosen, -1)}>
          Up
        </Button>
        <Button size="small" icon={<IconArrowDown {...icon} />} onClick={() => move(chosen, 1)}>
          Down
        </Button>
        <Button
          size="small"
          variant="dangerQuiet"
          icon={<IconTrash {...icon} />}
          onClick={() => remove(chosen)}
        >
          Remove
        </Button>
      </SelectionBar>
    </>
  )
}

function rowKey({ key }: BasketEntry): string {
  return key
}

interface EntryActions {
  width: number
  disabled: boolean
  dataGroupName: string | null
  onOpen: (entry: BasketEntry) => void
  onRemove: (entry: BasketEntry) => void
  onMove: (entry: BasketEntry, by: number) => void
  onRepeat: (entry: BasketEntry) => void
}

function columnsOf({
  width,
  disabled,
  dataGroupName,
  onOpen,
  onRemove,
  onMove,
  onRepeat,
}: EntryActions): Column<BasketEntry>[] {
  return [
    {
      id: 'group',
      header: 'Group',
      width: `minmax(106px, ${width}px)`,
      text: ({ entry }) => entry.groupName ?? dataGroupName ?? '',
      cell: ({ entry }) => {
        const group = entry.groupName ?? dataGroupName
        return group === null ? (
          '—'
        ) : (
          <span className={styles.group}>
            <GroupLink href={links.symbols(group)}>{group}</GroupLink>
          </span>
        )
      },
    },
    {
      id: 'symbol',
      isName: true,
      header: 'Symbol',
      width: 'minmax(120px, 3fr)',
      text: ({ entry }) => entryName(entry),
      cell: (item) => (
        <span className={styles.symbol}>
          <button type="button" className={styles.open} onClick={() => onOpen(item)}>
            {entryName(item.entry)}
          </button>
          {item.entry.pattern ? <PatternBadge item={item} dataGroupName={dataGroupName} /> : null}
        </span>
      ),
    },
    {
      id: 'columns',
      header: 'Columns',
      width: 'minmax(72px, 1.4fr)',
      text: ({ entry }) => columnsText(entry),
      cell: ({ entry }) => columnsText(entry),
    },
    {
      id: 'offset',
      header: 'Offset',
      width: 84,
      quiet: true,
      priority: 2,
      cell: ({ entry }) => offsetText(entry),
    },
    { id: 'fill', header: 'Fill', width: 92, quiet: true, priority: 1, cell: ({ entry }) => fillText(entry) },
    ...(disabled
      ? []
      : [
          {
            id: 'actions',
            header: <span className="visually-hidden">Actions</span>,
            width: 60,
            cell: (item: BasketEntry) => (
              <span className={styles.tools}>
                <Menu
                  trigger={<ActionsButton name={entryName(item.entry)} />}
                  items={[
                    { label: 'Edit', onClick: () => onOpen(item) },
                    { label: 'Move up', onClick: () => onMove(item, -1) },
                    { label: 'Move down', onClick: () => onMove(item, 1) },
                    { label: 'Move to the top', onClick: () => onMove(item, -Infinity) },
                    { label: 'Move to the end', onClick: () => onMove(item, Infinity) },
                    { label: 'Duplicate', onClick: () => onRepeat(item) },
                  ]}
                />
                <IconButton
                  label={`Remove ${entryName(item.entry)}`}
                  icon={<IconX {...icon} />}
                  onClick={() => onRemove(item)}
                />
              </span>
            ),
          },
        ]),
  ]
}

/** Badge with the number of matching symbols of a pattern, or with its problem. */
function PatternBadge({ item, dataGroupName }: { item: BasketEntry; dataGroupName: string | null }) {
  const { entry, symbolCount } = item
  const problem = entryProblem(entry, dataGroupName)
  const counted = usePatternCount(entry, dataGroupName, {
    enabled: problem === undefined && symbolCount === undefined && !entry.patternExactMatch,
  })
  if (problem !== undefined) {
    return (
      <span title={problem}>
        <Badge kind="warn">Incomplete</Badge>
      </span>
    )
  }
  const count = symbolCount ?? counted
  return <Badge>{count === undefined ? 'pattern' : `pattern · ${countOf(count, 'symbol')}`}</Badge>
}

function usePatternCount(
  { groupName, symbols, symbolValuesExactMatch }: DataPrepSymbol,
  dataGroupName: string | null,
  { enabled }: { enabled: boolean },
): number | undefined {
  const values = Object.fromEntries(Object.entries(symbols).map(([key, value]) => [key, String(value)]))
  const input = {
    query: {
      query: symbolQuery('', groupName ?? dataGroupName ?? '', values),
      exactMatch: symbolValuesExactMatch,
      exactTotal: true,
      size: pageSizes.details,
    },
  }
  const matches = useQuery({
    queryKey: routeKey(searchSymbols, input),
    queryFn: ({ signal }) => call(searchSymbols, input, { signal }),
    enabled,
  })
  return matches.data?.totalSize
}
