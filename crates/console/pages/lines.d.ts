// What a session and its pages send each other. A test prints this file from the messages of the
// program; `make accept` writes it anew.

export type Line =
    | {
          line: "asynchrony";
          at_ms: number;
          input: number;
          ms: number;
          number: number;
      }
    | {
          line: "beat";
          at_ms: number;
          stream: number;
      }
    | {
          line: "begins";
          inputs: string[];
          limit_us: number;
          origin_utc_ms: number;
          streams: string[];
      }
    | {
          line: "progress";
          at_s: number;
          closed: string[];
          disk: string;
          dropped: number;
          latest_us: number;
          lost: number;
          missed: number;
          overruns: [string, number][];
          silent_frames: number;
          silent_s: number;
          taps: [string, number][];
      }
    | {
          line: "remark";
          at: string;
          text: string;
      }
    | {
          line: "scene";
          attempt: number;
          begun: number;
          blind: boolean;
          cell: [string, string][];
          condition: [string, string][];
          devices_tested: boolean;
          done: number;
          folder: string;
          hold: boolean;
          keyboard: string;
          left_s: number | null;
          participant: string;
          phase: Phase;
          planned: number;
          resumed: boolean;
          says: string;
          session: number;
          simulated: boolean;
          single: boolean;
          step: string;
          steps: Step[];
          title: string;
          trial: number;
          turn: number;
          waits: boolean;
          window: "closed" | "frozen" | "full" | "never" | "open";
      }
    | {
          line: "summary";
          text: string;
      }
    | {
          line: "tap";
          at_ms: number;
          input: number;
          interval_ms?: number;
          number: number;
          stamp: string;
      }
    | {
          line: "trial";
          at: string;
          attempt: number;
          complaints: string[];
          mean_ms: number | null;
          sd_ms: number | null;
          step: string;
          taps: number;
          timing_passed: boolean;
          track?: TrackPoint;
          trial: number;
      };

export type Command =
    | {
          do: "alive";
      }
    | {
          do: "answer";
          answer: string;
          turn: number;
      }
    | {
          do: "decide";
          turn: number;
          yes: boolean;
      }
    | {
          do: "end_trial";
          begun: number;
      }
    | {
          do: "go_on";
          turn: number;
      }
    | {
          do: "heard";
      }
    | {
          do: "hold";
          hold: boolean;
      }
    | {
          do: "note";
          text: string;
      }
    | {
          do: "practise";
          turn: number;
      }
    | {
          do: "repeat";
          begun: number;
          reason: string;
      }
    | {
          do: "screen";
          full: boolean;
      }
    | {
          do: "skip";
          begun: number;
          reason: string;
      }
    | {
          do: "start";
      }
    | {
          do: "stop";
      }
    | {
          do: "test";
      };

export type Shows = {
    answer?: import("./answers.js").Expected;
    html?: string;
    is: "over" | "press" | "question" | "rest" | "tap" | "text" | "wait";
    keyboard: boolean;
    on?: string;
    pads: boolean;
    seconds?: number;
    turn: number;
    words: Words;
};

export type Input = {
    gone: boolean;
    name: string;
    stamp: string;
    taps: number;
};

export type Tally = {
    cut_short: number;
    repeated: number;
    skipped: number;
    timing_failed: number;
    trials: number;
    unusable: number;
};

export type Phase =
    | {
          is: "check";
          heard: boolean;
          inputs: Input[];
          played: boolean;
          playing: boolean;
      }
    | {
          is: "choose";
      }
    | {
          is: "doubt";
          text: string;
      }
    | {
          is: "ended";
          answered?: "participation" | "session";
          complete: boolean;
          sound: boolean;
          tally?: Tally;
      }
    | {
          is: "failed";
          error: string;
      }
    | {
          is: "gap";
      }
    | {
          is: "held";
          why: string;
      }
    | {
          is: "opening";
      }
    | {
          is: "practice";
          text: string;
      }
    | {
          is: "question";
          answer: import("./answers.js").Expected;
          experimenter: boolean;
          html: string;
          name: string;
          text: string;
      }
    | {
          is: "rest";
          seconds: number;
          until_utc_ms: number;
      }
    | {
          is: "text";
          html: string;
          waits: boolean;
      }
    | {
          is: "trial";
      }
    | {
          is: "waiting";
          on: string;
      };

export type Step = {
    name: string;
    trials: number | null;
};

export type TrackPoint = {
    level: number;
    reversal: boolean;
    right: boolean | null;
    staircase: string;
    unit: string;
};

export type Words = {
    language: string;
    texts: { [name: string]: string };
};

