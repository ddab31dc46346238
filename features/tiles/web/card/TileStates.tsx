import type { ReactNode } from 'react'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconCloudOff from '@tabler/icons-react/dist/esm/icons/IconCloudOff.mjs'
import IconPuzzle from '@tabler/icons-react/dist/esm/icons/IconPuzzle.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { noDataMessage, SeriesResultError } from '@headwater/tile-data/core'
import { isNotForVisitors, NoPrepError } from '@headwater/tile-data/web'
import { Button, EmptyState, ErrorState, Skeleton, useRetryAfterOutage } from '@headwater/web-kit'
import type { AccessRequest } from './use-access-request.ts'
import styles from './TileStates.module.css'

/** A message in place of the content of a tile. */
export function TileMessage({ children }: { children: ReactNode }) {
  return <div className={styles.message}>{children}</div>
}

/** The placeholder of a loading tile. */
export function TileSkeleton({ shape }: { shape: 'chart' | 'rows' | 'text' }) {
  return (
    <div className={styles.skeleton} data-shape={shape} role="status" aria-label="Loading">
      {shape === 'chart' ? (
        <>
          <div className={styles.plot}>
            {Array.from({ length: 5 }, (_, index) => (
              <i key={index} />
            ))}
          </div>
          <Skeleton width={160} height={10} />
        </>
      ) : (
        Array.from({ length: shape === 'rows' ? 6 : 3 }, (_, index) => (
          <Skeleton key={index} width={shape === 'rows' ? '100%' : `${80 - index * 18}%`} height={12} />
        ))
      )}
    </div>
  )
}

/** The state of a tile whose results are empty. */
export function TileNoData({ children }: { children?: ReactNode }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconChartLine size={20} stroke={1.6} />} title={noDataMessage}>
        {children}
      </EmptyState>
    </TileMessage>
  )
}

/** The state of a tile whose groups the user cannot read. */
export function TileForbidden({
  groups,
  hidden,
  all,
  request,
}: {
  groups: readonly string[]
  hidden: number
  all: number
  /** The request for access; undefined if the user cannot request access here. */
  request: AccessRequest | undefined
}) {
  const count =
    hidden === all
      ? all === 1
        ? '1 symbol is'
        : 'All of its symbols are'
      : `${hidden} of ${all} symbols are`
  return (
    <TileMessage>
      <EmptyState
        icon={<IconLock size={20} stroke={1.6} />}
        title={`You cannot read ${groups.join(', ')}`}
        action={
          request === undefined || request.sent ? undefined : (
            <Button busy={request.sending} onClick={request.send}>
              Request access
            </Button>
          )
        }
      >
        {count} hidden.{' '}
        {request === undefined
          ? 'Ask the owner of the group for read access.'
          : request.sent
            ? 'Your request was sent to the administrators.'
            : ''}
      </EmptyState>
    </TileMessage>
  )
}

/** The state of a tile that is not part of the public view. */
function TileNotPublic({ error }: { error: Error }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconLock size={20} stroke={1.6} />} title="Hidden from visitors">
        {error.message}
      </EmptyState>
    </TileMessage>
  )
}

/** The state of a tile whose data could not be loaded. It loads them again when the server responds again after an outage. */
export function TileError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  useRetryAfterOutage(error, onRetry)
  if (isNotForVisitors(error)) return <TileNotPublic error={error} />
  const detail = error instanceof SeriesResultError || error instanceof NoPrepError ? error.detail : undefined
  const detailed = detail === undefined ? error : new Error(`${(error as Error).message} ${detail}`)
  return (
    <div className={styles.message} data-tile-error>
      <ErrorState error={detailed} onRetry={onRetry} title="The data could not be loaded" />
    </div>
  )
}

/** The state of a tile or another part of the page that failed. */
export function PartBroken({
  id,
  onRetry,
  what = 'part',
}: {
  /** Id of the error report; undefined if only the code could not be loaded. */
  id: string | undefined
  onRetry: () => void
  what?: 'tile' | 'part' | undefined
}) {
  if (id === undefined)
    return (
      <TileMessage>
        <EmptyState
          icon={<IconCloudOff size={20} stroke={1.6} />}
          title={`This ${what} could not be loaded`}
          action={<Button onClick={onRetry}>Try again</Button>}
        >
          Check your connection and try again.
        </EmptyState>
      </TileMessage>
    )
  return (
    <TileMessage>
      <EmptyState
        icon={<IconPuzzle size={20} stroke={1.6} />}
        title={`This ${what} stopped working`}
        action={<Button onClick={onRetry}>Try again</Button>}
      >
        The error was reported. If it happens again, give your administrator the id <code>{id}</code>.
      </EmptyState>
    </TileMessage>
  )
}
