import { useState } from 'react'
import IconShare from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
import { Button, lazyPart, useProductConfig } from '@headwater/web-kit'
import type { Insight } from '@headwater/insights/contract'
import { PartFrame } from '@headwater/insights/web'

const ShareDialog = lazyPart(() => import('./ShareDialog.tsx'))

/** Button that opens the dialog to share and publish an insight. */
export default function ShareButton({
  insight,
  onDialog,
}: {
  insight: Insight
  onDialog: (isOpen: boolean) => void
}) {
  const { sharingEnabled } = useProductConfig()
  const [isOpen, setOpen] = useState(false)
  function show(next: boolean) {
    setOpen(next)
    onDialog(next)
  }
  if (!insight.writeAccess || !sharingEnabled) return null
  return (
    <>
      <Button icon={<IconShare size={16} stroke={1.6} aria-hidden />} onClick={() => show(true)}>
        Share
      </Button>
      {isOpen ? (
        <PartFrame onClose={() => show(false)}>
          <ShareDialog insight={insight} onClose={() => show(false)} />
        </PartFrame>
      ) : null}
    </>
  )
}
