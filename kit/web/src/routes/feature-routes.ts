import type { ComponentType } from 'react'
import type { QueryClient } from '@tanstack/react-query'
import type { AccessMode } from '@headwater/contract'
import type { SlotItem } from '../shell/slots.ts'
import type { OpenedTool } from '../shell/tools.ts'
import type { Recent, RecentType } from '../stored/recents.ts'

/** Entitlements that a user needs to see an element: a resource, by default in mode R, and its area. */
export interface Access {
  /** The resource, for example `Lake/Groups`. */
  resource: string
  /** Required mode, default R. */
  mode?: AccessMode
  /** The area. The user also needs read access to it. */
  parent?: string
}

/** The address of a page. */
export interface PageAddress {
  /** Parameters of its path, decoded. */
  params: Readonly<Record<string, string | undefined>>
  /** Query parameters. */
  search: URLSearchParams
}

/** A page of a feature. */
export interface FeatureRoute {
  /** Path without a leading slash, built from `routeNames`, for example `Lake/Groups/:groupName`. Matched regardless of case. */
  path: string
  /** Loads the page; the default export of the module is the component. */
  lazy: () => Promise<{ default: ComponentType }>
  /**
   * Preloads data that the page always needs into the cache. Called for the first page after a sign-in or a reload, in
   * parallel with the user's settings.
   */
  preload?: (address: PageAddress, cache: QueryClient) => Promise<void>
  /** Default: visible to every signed-in user. */
  access?: Access
  /** `main` (default) has sidebar and header, `public` needs no sign-in, `bare` is a separate tab without a sidebar. */
  layout?: 'main' | 'public' | 'bare'
  /** Whether the page can be shown inside a frame. */
  framed?: boolean
  /** Whether the page exists in the mobile layout. */
  mobile?: boolean
  /** Whether the page exists only in warehouse-only mode. */
  warehouseOnly?: boolean
}

/** A hit of the global search. */
export interface SearchHit {
  /** Id, unique within its block. */
  id: string
  /** Name of the object. */
  title: string
  /** Small text beside the name. */
  detail?: string
  /** Link to the object. */
  href: string
}

/** The current state of a recently opened object. */
export interface RecentHit extends SearchHit {
  /** Last status of its newest job; absent if there is no job or the user has no access to it. */
  latestStatus?: { status: string; message: string } | undefined
}

/** A block of the global search. */
export interface SearchProvider {
  /** Id of the block. */
  id: string
  /** Heading of the block. */
  label: string
  /** Default: visible to every signed-in user. */
  access?: Access
  /** Returns at most five hits for the typed text. */
  search: (text: string, signal: AbortSignal) => Promise<SearchHit[]>
  /** Returns the link of the list page with the same search. */
  seeAllHref?: (text: string) => string
  /** Recently opened objects, visible while the search field is empty. */
  recents?: {
    type: RecentType
    /** Returns the current state of an object; undefined if it does not exist or the user has no access to it. */
    find: (recent: Recent, signal: AbortSignal) => Promise<RecentHit | undefined>
  }
}

/** A panel that slides in over the page. The shell renders its frame and closes it. */
export interface FeatureOverlay {
  /** Id of the panel, for `openOverlay`. */
  id: string
  /** Accessible name. */
  label: string
  /** Default: visible to every signed-in user. */
  access?: Access
  /** Loads the content; the default export of the module is the component. */
  lazy: () => Promise<{ default: ComponentType<{ onClose: () => void }> }>
}

/** Properties of the content of a tool. */
export interface ToolProps extends OpenedTool {
  /** Closes the tool without confirmation after its work is done. */
  onClose: () => void
}

/** A tool for one object, which `openTool` opens over the page. Tools have no route. The shell renders the frame. */
export interface FeatureTool {
  /** Id of the tool, for `openTool`. */
  id: string
  /** Default: available to every signed-in user. */
  access?: Access
  /** Whether the frame of the tool is a form in the middle of the window, as high as its content. Default: false. */
  compact?: boolean
  /** Loads the content; the default export of the module is the component. */
  lazy: () => Promise<{ default: ComponentType<ToolProps> }>
}

/** A line above every page of the main layout. It renders nothing if there is no notice. */
export interface FeatureNotice {
  /** Id of the notice. */
  id: string
  /** Default: visible to every signed-in user. */
  access?: Access
  /** Loads the content; the default export of the module is the component. */
  lazy: () => Promise<{ default: ComponentType }>
}

/** The pages, panels and other web items of a feature. Its entry point `web` exports them. */
export interface FeatureRoutes {
  /** Pages. */
  routes: readonly FeatureRoute[]
  /** Blocks of the global search. */
  searchProviders?: readonly SearchProvider[]
  /** Panels over the page. */
  overlays?: readonly FeatureOverlay[]
  /** Lines above every page. */
  notices?: readonly FeatureNotice[]
  /** Tools over the page. */
  tools?: readonly FeatureTool[]
  /** Additions to pages of earlier features. */
  slotItems?: readonly SlotItem[]
}
