import { useState } from 'react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import {
  Button,
  call,
  EmptyState,
  ErrorState,
  routeKey,
  SearchField,
  Select,
  Skeleton,
  type SmallColumn,
  SmallTable,
  statusLabel,
  Time,
} from '@headwater/web-kit'
import { listAuditRecords, type AuditRecord } from '../contract/index.ts'
import styles from './AuditTab.module.css'

const pageSize = 100

const outcomes = { succeeded: statusLabel('completed'), refused: 'Refused' }

type Outcome = keyof typeof outcomes

/** Requests that changed data or were refused, newest first, with filters. For administrators. */
export default function AuditTab() {
  const [userName, setUserName] = useState('')
  const [object, setObject] = useState('')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const filter = {
    ...(userName.trim() === '' ? {} : { userName: userName.trim() }),
    ...(object.trim() === '' ? {} : { object: object.trim() }),
    ...(outcome === null ? {} : { outcome }),
    size: pageSize,
  }
  const records = useInfiniteQuery({
    queryKey: [...routeKey(listAuditRecords, { query: filter }), 'pages'],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        listAuditRecords,
        { query: { ...filter, ...(pageParam === undefined ? {} : { before: pageParam }) } },
        { signal },
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })
  const items = records.data?.pages.flatMap((page) => page.items)
  return (
    <div className={styles.body}>
      <div className={styles.filters}>
        <SearchField
          label="User"
          placeholder="E-mail address of a user"
          width={260}
          value={userName}
          onChange={setUserName}
        />
        <SearchField
          label="Object"
          placeholder="Part of a name or id"
          width={260}
          value={object}
          onChange={setObject}
        />
        <Select
          label="Outcome"
          hideLabel
          clearable
          placeholder="Every outcome"
          value={outcome}
          options={Object.entries(outcomes).map(([value, label]) => ({ value, label }))}
          onChange={(value) => setOutcome(value as Outcome | null)}
        />
      </div>
      {items === undefined ? (
        records.error === null ? (
          <Skeleton lines={8} />
        ) : (
          <ErrorState error={records.error} onRetry={() => void records.refetch()} />
        )
      ) : items.length === 0 ? (
        <EmptyState title="No records">Requests that change data appear here.</EmptyState>
      ) : (
        <RecordsTable records={items} />
      )}
      {records.hasNextPage ? (
        <Button
          busy={records.isFetchingNextPage}
          onClick={() => {
            if (!records.isFetchingNextPage) void records.fetchNextPage()
          }}
        >
          Show older records
        </Button>
      ) : null}
    </div>
  )
}

const columns: readonly SmallColumn[] = [
  { header: 'Time', width: 170 },
  { header: 'User', width: 200 },
  { header: 'Action', width: 190 },
  { header: 'Object' },
  { header: 'Outcome', width: 120 },
  { header: 'Address', width: 130 },
]

function RecordsTable({ records }: { records: readonly AuditRecord[] }) {
  return (
    <SmallTable label="Audit log" columns={columns} minWidth={960}>
      {records.map(({ id, time, userName, runId, route, method, path, object, status, address }) => (
        <tr key={id}>
          <td data-quiet>
            <Time value={time} show="datetime" />
          </td>
          <th scope="row" title={userName ?? undefined}>
            {userName ?? 'Without sign-in'}
            {runId === null ? null : ', code of a run'}
          </th>
          <td title={`${method} ${path}`}>{actionText(route)}</td>
          <td title={objectText(object)}>
            <bdi>{objectText(object)}</bdi>
          </td>
          <td>{status < 400 ? outcomes.succeeded : `${outcomes.refused} (${status})`}</td>
          <td data-quiet>{address}</td>
        </tr>
      ))}
    </SmallTable>
  )
}

/** Returns the name of a route as text: deleteGroup is “Delete group”. */
function actionText(route: string): string {
  const text = route.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function objectText(object: AuditRecord['object']): string {
  return Object.values(object).join(' · ')
}
