// The networks of the page (networks.py): their files, and what they say of a position.

import { openFile } from "./kernels.js";

// The network of a game from its file. It is to be loaded outside of scopes, as its weights stay.
export async function loadNetwork(game, name) {
  const { head, numbers } = await openFile(game.kernels, name);
  return game.kernels.kept(`the network ${name}`, () => new NETWORKS[head.kind](game, head, numbers));
}

// A residual network (search/residual.py).
class Residual {
  constructor(game, { channels, blocks, lines, layers }, numbers) {
    const { kernels, constants: { POLICY_CHANNELS, HIDDEN, DIRECTIONS } } = game;
    const [planes, height, width] = game.shape;
    const cells = (height + 2) * (width + 1) + 1;
    const boards = (count) => kernels.array("float64", count, cells);
    this.game = game;
    this.layers = { weights: kernels.arrayOf("float64", weightsOf(layers, numbers)), channels, blocks, lines };
    this.scratch = {
      inputs: boards(planes),
      trunk: boards(channels),
      seen: boards(channels),
      change: boards(channels),
      averages: boards(DIRECTIONS * channels * lines),
      row: kernels.array("float64", Math.max(POLICY_CHANNELS * height * width + HIDDEN, 4 * (height + width))),
    };
  }

  // The prior of each action, 0 where it is illegal, and the value of a position for the player to move.
  evaluate(state) {
    const { game, layers, scratch } = this;
    const { kernels, shape: [planes, height, width] } = game;
    const legal = new Set(game.legal(state));
    return kernels.scope(() => {
      const seen = kernels.arrayOf("int8", game.planes(state, game.player(state)), planes, height * width);
      const logits = kernels.array("float64", game.numActions);
      const value = kernels.array("float64", 1);
      game.call("evaluate_network", seen, height, width, layers, scratch, logits, value);
      return { priors: softmax(logits.data.map((logit, action) => (legal.has(action) ? logit : -Infinity))), value: value.data[0] };
    });
  }
}

// The rows of all layers one after another, each with its bias first: whole numbers times the scale of their row.
function weightsOf(layers, numbers) {
  let at = 0;
  const rows = layers.flatMap(([outputs, inputs]) => {
    const floats = Array.from({ length: 2 * outputs }, (_, place) => numbers.getFloat32(at + 4 * place, true));
    at += 8 * outputs;
    return Array.from({ length: outputs }, (_, output) => ({ bias: floats[output], scale: floats[outputs + output], inputs }));
  });
  return rows.flatMap(({ bias, scale, inputs }) => {
    at += inputs;
    return [bias, ...Array.from({ length: inputs }, (_, place) => scale * numbers.getInt8(at - inputs + place))];
  });
}

// Values that n-tuples have learnt (baselines/ntuples).
class NTuples {
  constructor(game, { cells, looks, codes, stages, families, scale, bend, not_legal: notLegal, sharpness }, numbers) {
    const { kernels } = game;
    const whole = new Int8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    const patterns = families.map(({ orders }) => samePatterns(orders, looks));
    const places = families.flatMap((family, which) => family.places.map((place) => ({ place, which })));
    const steps = new Int32Array(cells * places.length);
    for (const [column, { place }] of places.entries()) {
      for (const [digit, cell] of place.entries()) steps[cell * places.length + column] = looks ** digit;
    }
    const before = (counts) => counts.map((_, which) => counts.slice(0, which).reduce((sum, count) => sum + count, 0));
    const firsts = before(patterns.map(({ numbers }) => numbers.length));
    const weights = before(patterns.map(({ count }) => count));
    Object.assign(this, { game, notLegal, sharpness, places: places.length });
    this.net = {
      steps: kernels.arrayOf("int32", steps, cells, places.length),
      starts: kernels.arrayOf("int32", places.map(({ which }) => firsts[which])),
      slots: kernels.arrayOf("int32", patterns.flatMap(({ numbers }, which) => Array.from(numbers, (number) => weights[which] + number))),
      codes: kernels.arrayOf("int32", codes),
      stages,
      weights: kernels.arrayOf("float32", Array.from(whole, (number) => scale * Math.sinh(bend * number))),
    };
  }

  // The prior of each action, 0 where it is illegal, and the value of the best one.
  evaluate(state) {
    const { game, net, notLegal, sharpness } = this;
    const { kernels, shape: [planes, height, width] } = game;
    return kernels.scope(() => {
      const values = kernels.array("float64", 1, game.numActions);
      const indices = kernels.array("int32", 1, this.places);
      game.call("write_values", 0, 1, game.row(state)[0], net, indices, kernels.array("int8", 1, planes, height * width), values);
      const logits = values.data.map((value) => (value === notLegal ? -Infinity : sharpness * value));
      return { priors: softmax(logits), value: Math.max(...values.data) };
    });
  }
}

// A number for each pattern of a place, the same for those that the place's own symmetries map onto each other; and how many there are.
function samePatterns(orders, looks) {
  const powers = orders[0].map((_, digit) => looks ** digit);
  const numbers = new Int32Array(looks ** powers.length);
  let count = 0;
  for (let pattern = 0; pattern < numbers.length; pattern++) {
    const digits = powers.map((power) => Math.floor(pattern / power) % looks);
    const images = orders.map((order) => order.reduce((sum, cell, digit) => sum + digits[cell] * powers[digit], 0));
    const least = Math.min(...images);
    numbers[pattern] = least === pattern ? count++ : numbers[least];
  }
  return { numbers, count };
}

function softmax(logits) {
  const highest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

const NETWORKS = { residual: Residual, ntuples: NTuples };
