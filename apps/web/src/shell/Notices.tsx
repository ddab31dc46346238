import { lazy, Suspense } from 'react'
import { useCan } from '@headwater/accounts/web'
import { notices } from '../rooms.ts'

const parts = notices.map((notice) => ({ ...notice, Part: lazy(notice.lazy) }))

/** The lines that rooms show above every page, to those who may see them. */
export function Notices() {
  const can = useCan()
  return parts.map(({ id, access, Part }) =>
    access === undefined || can(access.resource, access.mode, access.parent) ? (
      <Suspense key={id} fallback={null}>
        <Part />
      </Suspense>
    ) : null,
  )
}
