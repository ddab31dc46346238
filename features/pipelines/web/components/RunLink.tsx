import type { ReactNode } from 'react'
import { useCan } from '@headwater/accounts/web'
import { links, TextLink } from '@headwater/web-kit'

/** A link to a run for users who can open the monitor; its text alone for others. */
export function RunLink({ jobId, children }: { jobId: string; children: ReactNode }) {
  const can = useCan()
  return can('Monitor', 'R', 'Science') ? <TextLink href={links.run(jobId)}>{children}</TextLink> : children
}
