import IconStack from '@tabler/icons-react/dist/esm/icons/IconVersions.mjs'
import { useSettings, useUpdateSettings } from '@headwater/accounts/web'
import { Button, toastError } from '@headwater/web-kit'

/** Switches lists of files between the latest version of each and all versions; the choice is a setting of the user. */
export function LayoutToggle() {
  const { datalakeLayout } = useSettings()
  const update = useUpdateSettings()
  const latest = datalakeLayout === 'LATEST'
  return (
    <Button
      icon={<IconStack size={16} stroke={1.6} />}
      aria-pressed={!latest}
      disabled={update.isPending}
      title={latest ? 'Only the latest version of each file is shown' : 'Every version of each file is shown'}
      onClick={() =>
        update.mutate({ datalakeLayout: latest ? 'VERSIONS' : 'LATEST' }, { onError: toastError })
      }
    >
      {latest ? 'Latest' : 'Versions'}
    </Button>
  )
}
