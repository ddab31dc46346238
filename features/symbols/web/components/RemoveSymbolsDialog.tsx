import { useState } from 'react'
import { Checkbox, ConfirmDialog, Dependents, formatNumber, message, TrashNote } from '@headwater/web-kit'
import { useRemoveSymbols } from '../symbols-client.ts'
import { symbolText } from '../symbol-text.ts'
import { usedSymbol } from '../used-symbol.ts'
import type { SymbolAddress } from '../use-storage-state.ts'
import styles from './RemoveSymbolsDialog.module.css'

/** Confirms the removal of symbols. Symbols with time series are removed only if the user selects that. */
export function RemoveSymbolsDialog({
  symbols,
  onClose,
  onRemoved,
}: {
  symbols: readonly SymbolAddress[]
  onClose: () => void
  onRemoved: () => void
}) {
  const remove = useRemoveSymbols()
  const [withSeries, setWithSeries] = useState(false)
  const isOne = symbols.length === 1
  const what = isOne ? symbolText(symbols[0]!.symbols) : `${formatNumber(symbols.length)} symbols`
  const confirm = async () => {
    let removed = 0
    for (const [groupName, members] of Map.groupBy(symbols, (symbol) => symbol.groupName)) {
      const body = { groupName, symbols: members.map((each) => each.symbols), checkTimeSeries: !withSeries }
      removed += (await remove.mutateAsync(body)).removed
    }
    message(removed === 1 ? 'The symbol was removed.' : `${formatNumber(removed)} symbols were removed.`)
    onRemoved()
  }
  return (
    <ConfirmDialog
      open={symbols.length > 0}
      onClose={onClose}
      title={isOne ? 'Remove symbol' : 'Remove symbols'}
      confirmLabel="Remove"
      danger
      onConfirm={confirm}
    >
      <p className={styles.note}>
        Remove {what}? Files stay in the lake; a symbol that is uploaded again starts empty.
      </p>
      <Dependents object={isOne ? usedSymbol(symbols[0]!) : undefined} />
      <TrashNote what={isOne ? 'it' : 'them'} />
      <Checkbox
        label="Also remove time series"
        hint={
          isOne
            ? 'Required if the symbol has time series.'
            : 'Required if any of the symbols has time series.'
        }
        checked={withSeries}
        onChange={setWithSeries}
      />
    </ConfirmDialog>
  )
}
