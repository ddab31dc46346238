import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { Button, ErrorState, links, Page, Skeleton, useRecent } from '@headwater/web-kit'
import { type PrepAddress, prepQuery } from '../preps-client.ts'
import { PrepWorkspace } from './PrepWorkspace.tsx'
import styles from './PrepWorkspace.module.css'

/** Page with a saved data prep in the creator. */
export default function PrepScreen() {
  const { groupName = '', name = '', version = 'latest' } = useParams()
  return <LoadedPrep key={`${groupName}/${name}/${version}`} address={{ groupName, name, version }} />
}

function LoadedPrep({ address }: { address: PrepAddress }) {
  const { data, isFetching, error, refetch } = useQuery(prepQuery(address))
  const [prep, setPrep] = useState<typeof data>()
  // The page keeps the version that it loaded, even when others save.
  if (prep === undefined && data !== undefined && !isFetching) setPrep(data)
  useRecent('DATA_PREP', prep && { name: prep.name, groupName: address.groupName })
  if (prep !== undefined) return <PrepWorkspace begin={prep} />
  return (
    <Page>
      {error !== null && !isFetching ? (
        <div className={styles.failed}>
          <ErrorState error={error} onRetry={() => void refetch()} />
          <Button href={links.storageList()}>All data preps</Button>
        </div>
      ) : (
        <Skeleton lines={12} />
      )}
    </Page>
  )
}
