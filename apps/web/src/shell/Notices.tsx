import { useCan } from '@headwater/accounts/web'
import { ErrorBoundary, lazyPart, PartBoundary } from '@headwater/web-kit'
import { notices } from '../rooms.ts'

const parts = notices.map((notice) => ({ ...notice, Part: lazyPart(notice.lazy) }))

/** The lines that rooms show above every page, to those who may see them. */
export function Notices() {
  const can = useCan()
  return parts.map(({ id, access, Part }) =>
    access === undefined || can(access.resource, access.mode, access.parent) ? (
      // A line less is no reason to lose the page.
      <ErrorBoundary key={id} fallback={() => null}>
        <PartBoundary fallback={null}>
          <Part />
        </PartBoundary>
      </ErrorBoundary>
    ) : null,
  )
}
