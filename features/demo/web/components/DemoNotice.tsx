import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useMatch } from 'react-router'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import {
  Button,
  call,
  IconButton,
  links,
  readStoredText,
  routeNames,
  routeKey,
  TextLink,
  writeStoredText,
} from '@headwater/web-kit'
import { getDemo } from '../../contract/index.ts'
import { RemoveDemoDialog } from './RemoveDemoDialog.tsx'
import styles from './DemoNotice.module.css'

/** Where a browser remembers that its user has seen enough of the notice. */
const dismissedKey = 'ng-demo-notice'

/**
 * Tells administrators that a demo workspace is there, and removes it after a question. Hidden by its user, it stands on My
 * account only.
 */
export default function DemoNotice() {
  const [dismissed, setDismissed] = useState(() => readStoredText(dismissedKey) !== null)
  const hidden = useMatch(`/${routeNames.myAccount}`) === null && dismissed
  const [asking, setAsking] = useState(false)
  const demo = useQuery({
    queryKey: routeKey(getDemo, {}),
    queryFn: ({ signal }) => call(getDemo, {}, { signal }),
    enabled: !hidden,
    refetchInterval: ({ state }) => (state.data?.state === 'loading' ? 2000 : false),
  })
  if (hidden || (demo.data?.state !== 'loaded' && demo.data?.state !== 'loading')) return null
  const dismiss = () => {
    writeStoredText(dismissedKey, 'dismissed')
    setDismissed(true)
  }
  const { insight, groups } = demo.data
  const others = groups.filter((name) => name !== insight?.groupName)
  return (
    <aside className={styles.notice} aria-label="Demo workspace">
      {demo.data.state === 'loading' ? (
        <span>The demo workspace is being loaded…</span>
      ) : (
        <>
          <span>
            A demo workspace is there:{' '}
            {insight === undefined ? null : (
              <>
                <TextLink href={links.insight(insight.groupName, insight.insightName)}>its insight</TextLink>,
                over{' '}
              </>
            )}
            the groups {others.join(', ')}.
          </span>
          <Button size="small" onClick={() => setAsking(true)}>
            Remove the demo
          </Button>
          {asking ? <RemoveDemoDialog onClose={() => setAsking(false)} /> : null}
        </>
      )}
      {dismissed ? null : (
        <IconButton
          label="Keep the demo and hide this; it stays under My account"
          icon={<IconX size={14} stroke={1.6} />}
          onClick={dismiss}
        />
      )}
    </aside>
  )
}
