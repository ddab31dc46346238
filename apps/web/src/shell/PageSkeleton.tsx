import { Page, Skeleton, Toolbar } from '@headwater/web-kit'

/** The shape of a page while its code loads. */
export function PageSkeleton() {
  return (
    <Page>
      <div role="status" aria-label="Loading the page">
        <Toolbar>
          <Skeleton width={220} height={14} />
        </Toolbar>
        <Skeleton lines={6} height={14} />
      </div>
    </Page>
  )
}
