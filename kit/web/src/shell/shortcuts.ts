import { useEffect, useRef } from 'react'
import { createStore, useStore } from '../call/store.ts'
import { ownsEscape } from '../ui/escape.ts'
import { isMac } from '../ui/Kbd.tsx'

/** A keyboard shortcut. */
export interface Shortcut {
  /** Keys, for example `mod+s`, `?`, `a`; `mod` is Ctrl, or ⌘ on a Mac. */
  keys: string
  /** Description in the list of shortcuts. */
  label: string
}

interface Entry extends Shortcut {
  run: () => void
}

const entries = createStore<readonly Entry[]>([])
/**
 * Esc presses that an open list or a search field handles itself. They are recorded before the element handles them, because
 * the list is closed afterwards.
 */
const ownedPresses = new WeakSet<Event>()

/**
 * Runs `handler` when the keys are pressed and lists the shortcut under `?`. Shortcuts of plain letters are ignored
 * while the user types, and in modal dialogs.
 */
export function useShortcut(
  keys: string,
  handler: () => void,
  { label, enabled = true }: { label: string; enabled?: boolean },
): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => {
    if (!enabled) return
    const entry = { keys, label, run: () => latest.current() }
    entries.set([...entries.get(), entry])
    if (entries.get().length === 1) {
      window.addEventListener('keydown', noteOwner, true)
      window.addEventListener('keydown', onKeyDown)
    }
    return () => {
      entries.set(entries.get().filter((other) => other !== entry))
      if (entries.get().length === 0) {
        window.removeEventListener('keydown', noteOwner, true)
        window.removeEventListener('keydown', onKeyDown)
      }
    }
  }, [keys, label, enabled])
}

/** Runs a shortcut from a button or a menu; does nothing when the shortcut is inactive. */
export function runShortcut(keys: string): void {
  entries
    .get()
    .findLast((entry) => entry.keys === keys)
    ?.run()
}

/** Returns all active shortcuts, and renders again when they change. */
export function useShortcuts(): readonly Shortcut[] {
  return useStore(entries)
}

function noteOwner(event: KeyboardEvent): void {
  if (event.key === 'Escape' && ownsEscape(event.target)) ownedPresses.add(event)
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  if (ownedPresses.has(event)) return
  const entry = entries.get().findLast(({ keys }) => matches(keys, event))
  if (!entry) return
  const plain = !/mod\+|alt\+|^f\d+$/.test(entry.keys)
  if (plain && (isTyping(event.target) || isInModal(event.target))) return
  event.preventDefault()
  entry.run()
}

function matches(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.toLowerCase().split('+')
  const key = parts.at(-1)
  const mod = isMac ? event.metaKey : event.ctrlKey
  return (
    event.key.toLowerCase() === key &&
    parts.includes('mod') === mod &&
    parts.includes('alt') === event.altKey &&
    (key === '?' || parts.includes('shift') === event.shiftKey)
  )
}

/**
 * Returns whether an element is in a modal dialog. Shortcuts of plain letters do nothing there, because users often type
 * before a field has the focus.
 */
function isInModal(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"][aria-modal="true"]') !== null
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) &&
        // The input of a Select only opens its list.
        !(target as HTMLInputElement).readOnly &&
        !/^(checkbox|radio|button)$/.test((target as HTMLInputElement).type)))
  )
}
