import { useState } from 'react'
import IconBasket from '@tabler/icons-react/dist/esm/icons/IconBasket.mjs'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconSitemap from '@tabler/icons-react/dist/esm/icons/IconSitemap.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import { useWritableGroups } from '@headwater/groups/web'
import { Button, IconButton, Menu, openUsage, saveBlob, SelectionBar, toastError } from '@headwater/web-kit'
import type { SymbolItem } from '../../contract/index.ts'
import { basketHref, chartHref, maxLinkedSymbols, newPrepHref } from '../prep-links.ts'
import { downloadData } from '../symbols-client.ts'
import { maxQueriedSymbols, queryFor } from '../symbols-query.ts'
import { symbolText } from '../symbol-text.ts'
import { usedSymbol } from '../used-symbol.ts'
import { addressOf } from '../use-storage-state.ts'
import { queryItems } from './QueryMenu.tsx'
import { RemoveSymbolsDialog } from './RemoveSymbolsDialog.tsx'

/** Actions for the selected symbols. */
export function SymbolsSelection({
  symbols,
  onClear,
}: {
  symbols: readonly SymbolItem[]
  onClear: () => void
}) {
  const can = useCan()
  const groupNames = [...new Set(symbols.map((symbol) => symbol.groupName))]
  const writable = useWritableGroups(groupNames)
  const canRemove = can('Data', 'RW', 'Storage') && groupNames.every((name) => writable.has(name))
  const [isSaving, setSaving] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const isOne = symbols.length === 1
  const isLinkable = symbols.length <= maxLinkedSymbols
  const isTooMany = symbols.length > maxQueriedSymbols
  const save = async (isExact: boolean) => {
    setSaving(true)
    try {
      saveBlob(await downloadData(queryFor(symbols, 'UTC'), { isExact }), 'symbols.csv')
    } catch (error) {
      toastError(error)
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      <SelectionBar count={symbols.length} onClear={onClear}>
        {can('DataPreps', 'RW', 'Storage') ? (
          <>
            {isLinkable ? null : (
              <span>A new data prep can take at most {maxLinkedSymbols} symbols from here.</span>
            )}
            <Button
              href={isLinkable ? chartHref(symbols) : ''}
              disabled={!isLinkable}
              icon={<IconChartLine size={16} stroke={1.6} />}
            >
              Show chart
            </Button>
            <Button
              href={isLinkable ? newPrepHref(symbols) : ''}
              disabled={!isLinkable}
              icon={<IconTable size={16} stroke={1.6} />}
            >
              New data prep
            </Button>
            <Button
              href={isLinkable ? basketHref(symbols) : ''}
              disabled={!isLinkable}
              icon={<IconBasket size={16} stroke={1.6} />}
            >
              Add to basket
            </Button>
          </>
        ) : null}
        <Button
          icon={<IconDownload size={16} stroke={1.6} />}
          busy={isSaving}
          disabled={isTooMany}
          onClick={() => void save(false)}
        >
          Download
        </Button>
        <Menu
          trigger={
            <IconButton
              label="More actions for the selection"
              variant="default"
              icon={<IconDots size={16} stroke={1.6} />}
            />
          }
          items={[
            {
              label: 'Download exact values',
              disabled: isTooMany || isSaving,
              onClick: () => void save(true),
            },
            ...queryItems(symbols.map(addressOf)).map((item) => ({ ...item, disabled: isTooMany })),
            ...(isOne
              ? [
                  {
                    label: 'Usage',
                    icon: <IconSitemap size={16} stroke={1.6} />,
                    onClick: () => openUsage(usedSymbol(symbols[0]!), symbolText(symbols[0]!.symbols)),
                  },
                ]
              : []),
            ...(canRemove
              ? ([
                  'divider',
                  {
                    label: 'Remove symbols',
                    icon: <IconTrash size={16} stroke={1.6} />,
                    danger: true,
                    disabled: isTooMany,
                    onClick: () => setRemoving(true),
                  },
                ] as const)
              : []),
          ]}
        />
      </SelectionBar>
      <RemoveSymbolsDialog
        symbols={isRemoving ? symbols : []}
        onClose={() => setRemoving(false)}
        onRemoved={onClear}
      />
    </>
  )
}
