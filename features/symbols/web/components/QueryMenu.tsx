import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import { Button, copyText, Menu, type MenuItem } from '@headwater/web-kit'
import { curlOf, jsonOf, questionOf } from '../symbols-query.ts'
import type { SymbolAddress } from '../use-storage-state.ts'

/** Copies the question for all points of a symbol, as other programs ask it. */
export function QueryMenu({ symbol }: { symbol: SymbolAddress }) {
  return (
    <Menu
      position="bottom-start"
      trigger={
        <Button size="small" icon={<IconCode size={14} stroke={1.6} />}>
          Copy query
        </Button>
      }
      items={queryItems([symbol])}
    />
  )
}

/** The ways to copy the question for symbols, for a menu. */
export function queryItems(symbols: readonly SymbolAddress[]): MenuItem[] {
  const question = () => questionOf(symbols, 'UTC')
  return [
    { label: 'Copy query as JSON', onClick: () => void copyText(jsonOf(question()), 'Query') },
    {
      label: 'Copy query as curl command',
      onClick: () => void copyText(curlOf(question(), window.location.origin), 'Command'),
    },
  ]
}
