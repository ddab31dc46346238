import { countOf } from '@headwater/contract'
import { usePublicLinks, usePublicStatus } from './sharing-client.ts'

/** Note in the deletion dialog of an insight: its public links stop working. */
export default function PublicNote({ insight }: { insight: { groupName: string; insightName: string } }) {
  const status = usePublicStatus(insight)
  const { listed } = usePublicLinks(insight)
  if (status.data?.isPublic !== true) return null
  const more = listed.data?.items.length ?? 0
  return (
    <p>
      {more === 0
        ? 'The insight is public. Its public link stops working immediately.'
        : `The insight is public. Its public link and ${countOf(more, 'link')} with parameters stop working immediately.`}
    </p>
  )
}
