import { useState } from 'react'
import IconWorldOff from '@tabler/icons-react/dist/esm/icons/IconWorldOff.mjs'
import {
  Button,
  ConfirmDialog,
  EmptyState,
  ErrorNote,
  links,
  message,
  Skeleton,
  Time,
  type ToolProps,
} from '@headwater/web-kit'
import type { PublicView } from '../../contract/index.ts'
import { usePublicViews } from './sharing-client.ts'
import styles from './ShareDialog.module.css'

/** List of the public views that contain data of a group. Users who can share the group can end them. */
export default function PublicViewsTool({ id: groupName, editable = false }: ToolProps) {
  const { views, end } = usePublicViews(groupName)
  const [ending, setEnding] = useState<PublicView>()
  if (views.error !== null) return <ErrorNote error={views.error} />
  if (views.data === undefined) return <Skeleton lines={4} />
  if (views.data.items.length === 0)
    return (
      <EmptyState icon={<IconWorldOff size={20} stroke={1.6} />} title="No public view uses this group">
        Public insights with its data appear here.
      </EmptyState>
    )
  return (
    <div className={styles.views}>
      <p className={styles.note}>
        Anyone with the link to one of these insights can see data of {groupName}.
      </p>
      <ul className={styles.people} aria-label="Public views">
        {views.data.items.map((view) => (
          <li key={`${view.groupName}/${view.insightName}`}>
            <span className={styles.person}>
              <a
                href={links.publicInsight(view.groupName, view.insightName)}
                target="_blank"
                rel="noreferrer"
              >
                {view.insightName}
              </a>
            </span>
            <span className={styles.role}>
              In {view.groupName}, published by {view.publisher} · <Time value={view.published} />
            </span>
            {editable ? (
              <Button
                size="small"
                aria-label={`Unpublish ${view.insightName}`}
                onClick={() => setEnding(view)}
              >
                Unpublish
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={ending !== undefined}
        title="Unpublish"
        confirmLabel="Unpublish"
        danger
        onClose={() => setEnding(undefined)}
        onConfirm={async () => {
          await end(ending!)
          message(`“${ending!.insightName}” is no longer public.`)
          setEnding(undefined)
        }}
      >
        <p>{`Links to “${ending?.insightName}” stop working immediately. The insight itself stays.`}</p>
      </ConfirmDialog>
    </div>
  )
}
