import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import { Button, copyText, Menu, type MenuItem } from '@headwater/web-kit'
import { curlOf, jsonOf, queryFor } from '../symbols-query.ts'
import type { SymbolAddress } from '../use-storage-state.ts'

/** Menu to copy the query for all points of a symbol, for other programs. */
export function QueryMenu({ symbol, onDownload }: { symbol: SymbolAddress; onDownload?: () => void }) {
  return (
    <Menu
      position="bottom-start"
      trigger={
        <Button size="small" icon={<IconCode size={14} stroke={1.6} />}>
          Copy query
        </Button>
      }
      items={[
        ...queryItems([symbol]),
        ...(onDownload ? [{ label: 'Download exact values', onClick: onDownload }] : []),
      ]}
    />
  )
}

/** Returns menu items that copy the query for symbols. */
export function queryItems(symbols: readonly SymbolAddress[]): MenuItem[] {
  const query = () => queryFor(symbols, 'UTC')
  return [
    { label: 'Copy query as JSON', onClick: () => void copyText(jsonOf(query()), 'Query') },
    {
      label: 'Copy query as curl command',
      onClick: () => void copyText(curlOf(query(), window.location.origin), 'Command'),
    },
  ]
}
