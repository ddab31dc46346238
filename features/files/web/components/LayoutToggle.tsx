import { useState } from 'react'
import IconVersions from '@tabler/icons-react/dist/esm/icons/IconVersions.mjs'
import { useSettings, useUpdateSettings } from '@headwater/accounts/web'
import { Button, toastError } from '@headwater/web-kit'

/** Returns whether lists of files show only the latest version of each file; this is a user setting. */
export function useLatestOnly(): boolean {
  return useSettings()?.datalakeLayout !== 'VERSIONS'
}

/** Switches lists of files between the latest version of each and all versions. */
export function LayoutToggle() {
  const latest = useLatestOnly()
  const update = useUpdateSettings()
  const [busy, setBusy] = useState(false)
  const toggle = async () => {
    setBusy(true)
    await update({ datalakeLayout: latest ? 'VERSIONS' : 'LATEST' }).catch(toastError)
    setBusy(false)
  }
  return (
    <Button icon={<IconVersions size={16} stroke={1.6} />} disabled={busy} onClick={() => void toggle()}>
      {latest ? 'Show all versions' : 'Show latest versions only'}
    </Button>
  )
}
