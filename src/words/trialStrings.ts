/** A trial of live hints on the user's own sessions: see strings.ts. */
import type { HintTrait } from "../inspect/hintShares.js";
import type { Finding, Measure, Verdict } from "../trial/compareGroups.js";

export const trialStrings = {
  trial: {
    title: "Do hints help or harm? A trial",
    about:
      "Half of the new sessions, chosen at random, get no hints. The intervals hold for all measures together in 95 of " +
      "100 trials, if you look once.",
    measure: "Measure",
    withHints: "With hints",
    without: "Without",
    difference: "Difference",
    finding: "Conclusion",
    measures: {
      tokensPerPrompt: "Tokens sent per prompt (median)",
      requestsPerPrompt: "Requests per prompt (median)",
      saved: "Share of tool output saved",
      askedAgain: "Calls repeated right away",
      failedEdits: "Edits that failed",
      readAgain: "Repeated reads that were read again",
      interrupted: "Prompts interrupted",
    } satisfies Record<Measure, string>,
    findings: {
      more: "more with hints",
      less: "less with hints",
      same: "no difference that matters",
      unknown: "too few sessions to say",
    } satisfies Record<Finding, string>,
    moreNeeded: "too few sessions to say: about {n} more needed",
    neverSeen: "too rare to say",
    interval: { median: "{difference} % ({low} to {high})", share: "{difference} points ({low} to {high})" },
    basis: "since {since}: {hints} with hints ({hinted} received at least one), {control} without",
    ended: "{since} to {until}: {hints} with hints ({hinted} received at least one), {control} without",
    leftOut:
      "{n} not counted because it continues another session|{n} not counted because they continue other sessions",
    none: "No trial is on record. Turn live hints on as a trial, or run: dedup-inspector hooks install --trial",
    verdicts: {
      keep: "Hints help, with no sign of harm.",
      drop: "Hints do harm here.",
      undecided: "It is too early to say whether hints help overall.",
    } satisfies Record<Verdict, string>,
    runs: "A trial has been running since {since}: half of the new sessions get no hints. report --trial compares them.",
    isOver: "The last trial ran from {since} to {until}. report --trial shows what it found.",
    recordRemoved: "The record of the trial was removed too, so report --trial no longer shows it.",
    askKeep: "Keep live hints on, now in every session?",
    keptHints: "The trial is over. Live hints stay on, in every session.",
    keptNothing: "The trial is over.",
    continues: "The trial continues.",
    stillOn: "Live hints are still on: {files}",
    asked: "Which live hints models ask for again",
    askedAbout: "all sessions with live hints; asked again: the same call in the next request",
    trait: "Hints",
    given: "Given",
    askedAgain: "Asked again",
    traits: {
      kind: "by kind",
      tool: "by tool",
      size: "by characters saved",
      distance: "by requests since the text",
    } satisfies Record<HintTrait, string>,
    kinds: { whole: "whole results", near: "near-references", run: "runs of lines" },
    upTo: "up to {n}",
    moreThan: "more",
  },
} as const;
