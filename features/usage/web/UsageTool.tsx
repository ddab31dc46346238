import IconUnlink from '@tabler/icons-react/dist/esm/icons/IconUnlink.mjs'
import { useCan, useMobileMode } from '@headwater/accounts/web'
import {
  countOf,
  EmptyState,
  ErrorState,
  formatNumber,
  GroupLink,
  links,
  Skeleton,
  TextLink,
  type ToolProps,
  type UsedObject,
} from '@headwater/web-kit'
import { kindLabels } from './usage-text.ts'
import { type UsageEntry, useUsage } from './use-usage.ts'
import styles from './UsageTool.module.css'

/** Maximum number of rows of the list. */
const maxRows = 1000

/** Tool that lists the pipelines, tasks, data preps, insights, templates and formulas that use an object. */
export default function UsageTool({ id }: ToolProps) {
  const usage = useUsage(JSON.parse(id) as UsedObject, { size: maxRows })
  if (usage.error !== null) return <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
  if (usage.data === undefined) return <Skeleton lines={6} />
  const { entries, totalSize, hidden } = usage.data
  if (totalSize + hidden === 0)
    return (
      <EmptyState icon={<IconUnlink size={20} stroke={1.6} />} title="Not used anywhere">
        Pipelines, tasks, data preps, insights, templates and formulas that use this object appear here.
      </EmptyState>
    )
  return (
    <div className={styles.usage}>
      {entries.length === 0 ? null : <UsageTable entries={entries} />}
      {entries.length < totalSize ? (
        <p className={styles.note}>
          {`The first ${formatNumber(entries.length)} of ${formatNumber(totalSize)} objects are listed.`}
        </p>
      ) : null}
      {hidden === 0 ? null : (
        <p className={styles.note}>
          {`${countOf(hidden, 'object')} that you cannot read ${totalSize === 0 ? '' : 'also '}${hidden === 1 ? 'uses' : 'use'} it.`}
        </p>
      )}
    </div>
  )
}

function UsageTable({ entries }: { entries: readonly UsageEntry[] }) {
  const can = useCan()
  const isMobile = useMobileMode()
  // Of the pages of these objects, the mobile layout has only those of insights.
  const canOpen = (kind: UsageEntry['kind'], { resource, mode, parent }: UsageEntry['access']) =>
    (!isMobile || kind === 'insight') && can(resource, mode, parent)
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label="Usage">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Kind</th>
            <th scope="col">Version</th>
            <th scope="col">Group</th>
            <th scope="col">Tasks</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ key, kind, name, version, group, href, access, tasks }) => (
            <tr key={key}>
              <td>
                {href !== undefined && canOpen(kind, access) ? <TextLink href={href}>{name}</TextLink> : name}
              </td>
              <td className={styles.kind}>{kindLabels[kind]}</td>
              <td className={styles.number}>{version}</td>
              <td className={styles.group}>
                <GroupLink href={links.group(group)}>{group}</GroupLink>
              </td>
              <td>
                {tasks
                  .map((task) =>
                    task.version === null
                      ? task.readableName
                      : `${task.readableName} (version ${task.version})`,
                  )
                  .join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
