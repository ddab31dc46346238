import { useState } from 'react'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { Button, EmptyState, links, toastError, useProductConfig } from '@headwater/web-kit'
import { dataRequestEnvironments } from '../../contract/index.ts'
import { useRequestAccess } from '../symbols-client.ts'

/** Placeholder for a group that does not exist or that the user cannot read. */
export function UnreachableGroup({ groupName }: { groupName: string }) {
  const { environment } = useProductConfig()
  const request = useRequestAccess()
  const [isSent, setSent] = useState(false)
  const send = () =>
    request.mutateAsync(groupName).then(
      () => setSent(true),
      (error: unknown) => void toastError(error),
    )
  const canRequest = dataRequestEnvironments.includes(environment)
  return (
    <EmptyState
      icon={<IconLock size={28} stroke={1.4} />}
      title="You cannot read this group"
      action={
        isSent ? undefined : canRequest ? (
          <Button variant="primary" busy={request.isPending} onClick={() => void send()}>
            Request access
          </Button>
        ) : (
          <Button href={links.symbols()}>Show all groups</Button>
        )
      }
    >
      {isSent
        ? `Your request for “${groupName}” was sent to the administrators.`
        : `There is no group “${groupName}”, or you have no access to it.${canRequest ? '' : ' Ask its owner.'}`}
    </EmptyState>
  )
}
