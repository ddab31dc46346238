import { usePublicStatus } from './sharing-client.ts'

/** Says that an insight is public, in the dialog that deletes it. */
export default function PublicNote({ insight }: { insight: { groupName: string; insightName: string } }) {
  const status = usePublicStatus(insight)
  if (status.data?.isPublic !== true) return null
  return <p>The insight is public. Its public links stop working immediately.</p>
}
