import { useEffect, useRef } from 'react'
import IconAdjustments from '@tabler/icons-react/dist/esm/icons/IconAdjustments.mjs'
import IconBasket from '@tabler/icons-react/dist/esm/icons/IconBasket.mjs'
import { IconButton } from '@headwater/web-kit'
import type { PanelName } from './use-panel.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

const panels = [
  { name: 'params', label: 'Parameters', sign: <IconAdjustments {...icon} /> },
  { name: 'basket', label: 'Basket', sign: <IconBasket {...icon} /> },
] as const

/** The buttons that open and close the panels of an insight. */
export function PanelButtons({
  offered,
  open,
  onToggle,
}: {
  offered: readonly PanelName[]
  open: PanelName | undefined
  onToggle: (panel: PanelName) => void
}) {
  const buttons = useRef<Partial<Record<PanelName, HTMLButtonElement | null>>>({})
  const last = useRef(open)
  // If a panel closes while it contains the focus, its button receives the focus.
  useEffect(() => {
    const closed = open === undefined ? last.current : undefined
    last.current = open
    if (closed !== undefined && document.activeElement === document.body) buttons.current[closed]?.focus()
  }, [open])
  if (offered.length === 0) return null
  return (
    <>
      {panels
        .filter(({ name }) => offered.includes(name))
        .map(({ name, label, sign }) => (
          <IconButton
            key={name}
            ref={(button) => {
              buttons.current[name] = button
            }}
            label={label}
            icon={sign}
            active={name === open}
            labelled
            data-guide={name}
            onClick={() => onToggle(name)}
          />
        ))}
    </>
  )
}
