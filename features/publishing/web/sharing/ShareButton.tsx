import { useEffect, useRef } from 'react'
import IconShare from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
import { Button, lazyPart, useProductConfig } from '@headwater/web-kit'
import type { Insight } from '@headwater/insights/contract'
import { PartFrame } from '@headwater/insights/web'
import { useAddressDialog } from './use-address-dialog.ts'

const ShareDialog = lazyPart(() => import('./ShareDialog.tsx'))

/**
 * Button that opens the dialog to share and publish an insight. The URL contains the open dialog, so that Back closes
 * it.
 */
export default function ShareButton({
  insight,
  onDialog,
}: {
  insight: Insight
  onDialog: (isOpen: boolean) => void
}) {
  const { sharingEnabled } = useProductConfig()
  const { isOpen, open, close } = useAddressDialog('share')
  const reported = useRef(false)
  useEffect(() => {
    if (reported.current === isOpen) return
    reported.current = isOpen
    onDialog(isOpen)
  }, [isOpen, onDialog])
  if (!insight.writeAccess || !sharingEnabled) return null
  return (
    <>
      <Button icon={<IconShare size={16} stroke={1.6} aria-hidden />} onClick={open}>
        Share
      </Button>
      {isOpen ? (
        <PartFrame onClose={close}>
          <ShareDialog insight={insight} onClose={close} />
        </PartFrame>
      ) : null}
    </>
  )
}
