import type { ReactNode } from 'react'
import {
  ActionsButton,
  type Column,
  CopyButton,
  DataTable,
  Menu,
  type MenuEntry,
  ScheduledTime,
  scheduledTimeWidth,
  Switch,
  Time,
} from '@headwater/web-kit'
import type { PipelineTrigger } from '../../contract/index.ts'
import { RunLink } from '../components/RunLink.tsx'
import { triggerLabels } from '../trigger-labels.ts'
import { triggerNameOf, triggerText } from './trigger-texts.ts'
import styles from './Triggers.module.css'

/** Table of the triggers of a pipeline. */
export function TriggersTable({
  triggers,
  onSwitch,
  actionsOf,
  empty,
}: {
  triggers: readonly PipelineTrigger[]
  /** Switches a trigger on or off; undefined if the user cannot. */
  onSwitch: ((trigger: PipelineTrigger, active: boolean) => void) | undefined
  actionsOf: (trigger: PipelineTrigger) => MenuEntry[]
  empty: ReactNode
}) {
  const columns: Column<PipelineTrigger>[] = [
    {
      id: 'active',
      header: 'On',
      width: 56,
      cell: (trigger) => (
        <Switch
          label={`Switch ${triggerNameOf(trigger)}`}
          hideLabel
          checked={trigger.active}
          disabled={onSwitch === undefined}
          onChange={(active) => onSwitch?.(trigger, active)}
        />
      ),
    },
    { id: 'name', header: 'Name', width: 'minmax(140px, 1fr)', text: triggerNameOf, cell: triggerNameOf },
    {
      id: 'type',
      header: 'Type',
      width: 150,
      priority: 2,
      quiet: true,
      cell: ({ type }) => triggerLabels[type],
    },
    {
      id: 'when',
      header: 'Starts',
      width: 'minmax(180px, 2fr)',
      text: triggerText,
      cell: (trigger) =>
        trigger.type === 'EMAIL' && trigger.address !== null ? (
          <span className={styles.address}>
            {trigger.address} <CopyButton value={trigger.address} label="Address" />
          </span>
        ) : (
          triggerText(trigger)
        ),
    },
    {
      id: 'next',
      header: 'Next run',
      width: scheduledTimeWidth,
      quiet: true,
      cell: ({ nextRun, ...trigger }) => (
        <ScheduledTime value={nextRun} timeZone={'timeZone' in trigger ? trigger.timeZone : 'UTC'} />
      ),
    },
    {
      id: 'last',
      header: 'Last run',
      width: 150,
      priority: 3,
      quiet: true,
      cell: ({ lastRun }) =>
        lastRun === null ? (
          '—'
        ) : (
          <RunLink jobId={lastRun.jobId}>
            <Time value={lastRun.at} />
          </RunLink>
        ),
    },
    {
      id: 'owner',
      header: 'Runs as',
      width: 'minmax(100px, 1fr)',
      priority: 1,
      quiet: true,
      cell: ({ owner }) => owner,
    },
    {
      id: 'actions',
      header: <span className="visually-hidden">Actions</span>,
      width: 44,
      cell: (trigger) => {
        const items = actionsOf(trigger)
        return items.length === 0 ? null : (
          <Menu trigger={<ActionsButton name={triggerNameOf(trigger)} />} items={items} />
        )
      },
    },
  ]
  return (
    <DataTable
      label="Triggers"
      rowHeight={36}
      columns={columns}
      rows={triggers}
      rowKey={({ id }) => id}
      empty={empty}
    />
  )
}
