import type { ReactNode } from 'react'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconCloudOff from '@tabler/icons-react/dist/esm/icons/IconCloudOff.mjs'
import IconPuzzle from '@tabler/icons-react/dist/esm/icons/IconPuzzle.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { Button, EmptyState, ErrorState, Skeleton } from '@headwater/web-kit'
import { noDataMessage, SeriesResultError } from '../../core/series/series-result.ts'
import { isNotForVisitors } from '../data/not-for-visitors.ts'
import { NoPrepError } from '../data/no-prep-error.ts'
import type { AccessRequest } from './use-access-request.ts'
import styles from './TileStates.module.css'

/** What a tile shows when there is nothing to draw: the four states that are no picture. */
export function TileMessage({ children }: { children: ReactNode }) {
  return <div className={styles.message}>{children}</div>
}

/** A tile that waits, in the shape of what comes. */
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

/** Nothing came, though something was asked for. */
export function TileNoData({ children }: { children?: ReactNode }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconChartLine size={20} stroke={1.6} />} title={noDataMessage}>
        {children}
      </EmptyState>
    </TileMessage>
  )
}

/** The data lie in groups that the user cannot read. */
export function TileForbidden({
  groups,
  hidden,
  all,
  request,
}: {
  groups: readonly string[]
  hidden: number
  all: number
  /** Undefined where access cannot be asked for here. */
  request: AccessRequest | undefined
}) {
  const count =
    hidden === all
      ? all === 1
        ? 'Its symbol is'
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

/** Visitors of a public insight cannot have what the tile shows. */
export function TileNotPublic({ error }: { error: Error }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconLock size={20} stroke={1.6} />} title="Hidden from visitors">
        {error.message}
      </EmptyState>
    </TileMessage>
  )
}

/** The data could not be had. */
export function TileError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (isNotForVisitors(error)) return <TileNotPublic error={error} />
  const detail = error instanceof SeriesResultError || error instanceof NoPrepError ? error.detail : undefined
  const detailed = detail === undefined ? error : new Error(`${(error as Error).message} ${detail}`)
  return (
    <div className={styles.message} data-tile-error>
      <ErrorState error={detailed} onRetry={onRetry} title="The data could not be loaded" />
    </div>
  )
}

/** A tile, or another part of the page, broke, or its code could not be fetched; the others go on. */
export function PartBroken({
  id,
  onRetry,
  what = 'part',
}: {
  /** Of the report; undefined when only its code could not be fetched. */
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
        The error was reported with the id <code>{id}</code>; if it happens again, give your administrator the
        id.
      </EmptyState>
    </TileMessage>
  )
}
