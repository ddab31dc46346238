import { useCan } from '@headwater/accounts/web'
import { ErrorBoundary, lazyPart, PartBoundary } from '@headwater/web-kit'
import { notices } from '../features.ts'

const parts = notices.map((notice) => ({ ...notice, Part: lazyPart(notice.lazy) }))

/** The notices of features above every page, for users with access. */
export function Notices() {
  const can = useCan()
  return parts.map(({ id, access, Part }) =>
    access === undefined || can(access.resource, access.mode, access.parent) ? (
      // A missing notice must not break the page.
      <ErrorBoundary key={id} fallback={() => null}>
        <PartBoundary fallback={null}>
          <Part />
        </PartBoundary>
      </ErrorBoundary>
    ) : null,
  )
}
