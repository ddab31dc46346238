import { usePublicStatus } from './sharing-client.ts'

/** Note in the dialog that deletes an insight: its public links stop working. */
export default function PublicNote({ insight }: { insight: { groupName: string; insightName: string } }) {
  const status = usePublicStatus(insight)
  if (status.data?.isPublic !== true) return null
  return <p>The insight is public. Its public links stop working immediately.</p>
}
