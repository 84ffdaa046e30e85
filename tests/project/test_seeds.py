"""What several runs of a line say together, against numbers worked out by hand."""

import numpy as np

from benchmarks.seeds import Summary, seeds_of, summarise


def test_a_line_of_a_minute_or_less_has_ten_seeds_and_others_five():
    assert [*map(len, map(seeds_of, (0.1, 60, 60.1, 3600)))] == [10, 10, 5, 5]


def test_the_interquartile_mean_leaves_out_a_quarter_at_each_end():
    assert summarise([[100, 1, 2, 3, 4, 5, 6, 7, 8, -100]]).mean == (2 + 3 + 4 + 5 + 6 + 7) / 6
    assert summarise([[0, 1, 2, 6, 90]]).mean == (1 + 2 + 6) / 3


def test_the_interval_is_that_of_all_ways_to_draw_the_runs_again():
    runs = [0.0, 1.0, 1.0, 10.0]
    drawn = np.array(np.meshgrid(*[runs] * 4)).reshape(4, -1).T  # all 256, equally likely
    low, high = np.quantile(np.sort(drawn)[:, 1:3].mean(axis=1), (0.025, 0.975))
    assert summarise([runs])[:4] == (1.0, 1.0, low, high) == (1.0, 1.0, 0.0, 10.0)


def test_the_runs_of_each_game_are_drawn_among_themselves():
    assert summarise([[0.0] * 5, [1.0] * 5], worst=max) == Summary(0.5, 0.5, 0.5, 0.5, 1.0)
    low, high = summarise([[0.0] * 5 + [1.0] * 5])[2:4]
    assert low < 0.5 < high


def test_cells_have_an_interval_only_where_it_says_something_and_collapsed_runs_are_marked():
    assert Summary(0, 0, 0, 0, 0.5).cells("{:.1f}".format) == ["0.0", "0.0", "0.5"]
    assert Summary(1, 2, 1, 3, 0, collapsed=2).cells("{:.0f} %".format) == ["1 %", "2 % (1 % to 3 %)", "0 % † (2)"]
