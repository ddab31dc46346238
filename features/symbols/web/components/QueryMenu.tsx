import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import { Button, copyText, Menu } from '@headwater/web-kit'
import { curlOf, jsonOf, questionOf } from '../symbols-query.ts'
import type { SymbolAddress } from '../use-storage-state.ts'

/** Copies the question for all points of symbols, as other programs ask it. */
export function QueryMenu({ symbols, small }: { symbols: readonly SymbolAddress[]; small?: boolean }) {
  const question = () => questionOf(symbols, 'UTC')
  return (
    <Menu
      position="bottom-start"
      trigger={
        <Button
          icon={<IconCode size={small ? 14 : 16} stroke={1.6} />}
          {...(small ? { size: 'small' as const } : {})}
        >
          Copy query
        </Button>
      }
      items={[
        { label: 'As JSON body', onClick: () => void copyText(jsonOf(question()), 'Query') },
        {
          label: 'As curl command',
          onClick: () => void copyText(curlOf(question(), window.location.origin), 'Command'),
        },
      ]}
    />
  )
}
