"""The networks of Gomoku: shapes and names, and the same answers from both engines."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pytest
import torch

from zerosum import native
from zerosum.encoding.gomoku import planes_of
from zerosum.errors import PolicyError, SettingsError
from zerosum.games.gomoku import Gomoku, GomokuState
from zerosum.learn.alphazero.fit import TorchGradients, gradients_for
from zerosum.networks.board_settings import BoardNetworkSettings
from zerosum.networks.gomoku import AlphaZeroNet, BoardNet, SwiftNet
from zerosum.networks.inference import OnnxEvaluator, TorchEvaluator, evaluator_for, has_onnx
from zerosum.networks.line_windows import LineWindows
from zerosum.networks.pattern_table import (
    PatternEvaluator,
    flat_layers,
    pattern_table,
    weight_shapes,
)
from zerosum.networks.patterns import PatternNet
from zerosum.networks.residual_native import ResidualEvaluator
from zerosum.networks.swift_native import SwiftEvaluator, SwiftGradients
from zerosum.policy.board_network import BoardNetwork, load_board_network, save_board_network

if TYPE_CHECKING:
    from pathlib import Path

TRUNK = ["conv_input", "bn_input", "res_blocks"]
HEADS = ["policy_conv", "policy_bn", "policy_fc", "value_conv", "value_bn", "value_fc1", "value_fc2"]

Net = TypeVar("Net", bound=BoardNet)


def some_planes(rows: int, height: int, width: int) -> np.ndarray:
    luck = np.random.default_rng(rows)
    planes = np.zeros((rows, 3, height, width), np.float32)
    stones = luck.integers(-1, 2, (rows, height, width))
    planes[:, 0], planes[:, 1], planes[:, 2] = stones == 1, stones == -1, luck.integers(0, 2, (rows, 1, 1))
    return planes


def shaken(network: Net) -> Net:
    """Away from where it begins."""
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))
        kept = network.state_dict()
        for name, buffer in network.named_buffers():
            if name in kept and buffer.dtype.is_floating_point:  # not what every network has alike
                buffer.add_(0.1 * torch.rand_like(buffer))
    return network.eval()


def test_alphazero_net_has_the_expected_parts() -> None:
    network = AlphaZeroNet(5)
    assert [name for name, _ in network.named_children()] == TRUNK + HEADS
    assert sum(p.numel() for p in network.parameters()) == 306_178
    assert len(network.res_blocks) == 4
    assert network.conv_input.bias is None
    logits, value = network.eval()(torch.zeros(2, 3, 5, 5))
    assert logits.shape == (2, 25)
    assert value.shape == (2,)


@pytest.mark.parametrize("network", [AlphaZeroNet((4, 6)), SwiftNet(8, 2), PatternNet(8, 1)])
def test_predict(network: BoardNet) -> None:
    network.train()
    probabilities, value = network.predict(some_planes(1, 4, 6)[0])
    assert probabilities.shape == (24,)
    assert probabilities.sum() == pytest.approx(1, abs=1e-5)
    assert -1 <= value <= 1
    assert network.training


@pytest.mark.parametrize("network", [SwiftNet(8, 3), PatternNet(8, 2)])
def test_networks_that_play_on_any_size(network: BoardNet) -> None:
    shaken(network)
    for height, width in ((3, 3), (5, 9), (20, 20)):
        logits, value = network(torch.from_numpy(some_planes(2, height, width)))
        assert logits.shape == (2, height * width)
        assert value.abs().max() <= 1


@pytest.mark.parametrize("kind", ["swift", "alphazero"])
@pytest.mark.parametrize("board", [(5, 5), (4, 7)])
def test_both_engines_answer_alike(kind: str, board: tuple[int, int]) -> None:
    assert has_onnx()
    network = shaken(BoardNetworkSettings(kind, 16, 2).build(Gomoku(board[1], board[0], 4)))
    planes = some_planes(77, *board)
    by_torch, by_onnx = TorchEvaluator(network), OnnxEvaluator(network, board)
    for a, b in zip(by_torch(planes), by_onnx(planes), strict=True):
        assert np.abs(a - b).max() < 1e-5
    assert np.abs(by_torch(planes)[0].sum(axis=1) - 1).max() < 1e-5


@pytest.mark.parametrize(("line", "board"), [(3, (3, 3)), (4, (6, 7)), (5, (15, 15))])
@pytest.mark.parametrize(("channels", "blocks"), [(12, 1), (32, 2)])
def test_native_code_answers_like_pytorch(line: int, board: tuple[int, int], channels: int, blocks: int) -> None:
    network = shaken(BoardNetworkSettings("pattern", channels, blocks).build(Gomoku(board[1], board[0], line)))
    planes = some_planes(33, *board)
    by_torch, native_code = TorchEvaluator(network), evaluator_for(network, board, threads=2)
    assert isinstance(native_code, PatternEvaluator)
    for a, b in zip(by_torch(planes), native_code(planes), strict=True):
        assert np.abs(a - b).max() < 1e-5
    assert by_torch(planes)[1].std() > 1e-4  # rows do differ


@pytest.mark.parametrize("board", [(3, 3), (5, 5), (4, 7), (9, 9), (20, 3), (15, 15)])
@pytest.mark.parametrize(("channels", "blocks"), [(8, 1), (24, 2), (64, 4)])
def test_native_code_answers_like_a_residual_tower(board: tuple[int, int], channels: int, blocks: int) -> None:
    network = shaken(AlphaZeroNet(board, channels, blocks))
    planes = some_planes(37, *board)
    by_torch, native_code = TorchEvaluator(network), evaluator_for(network, board, threads=2)
    assert isinstance(native_code, ResidualEvaluator)
    for a, b in zip(by_torch(planes), native_code(planes), strict=True):
        assert np.abs(a - b).max() < 1e-5
    assert by_torch(planes)[1].std() > 1e-4  # rows do differ
    together = native_code(planes)
    alone = [ResidualEvaluator(network.weights(), board, blocks)(planes[row : row + 1]) for row in range(5)]
    for row, (shares, value) in enumerate(alone):
        assert np.array_equal(together[0][row], shares[0])
        assert together[1][row] == value[0]


SWIFT = [(3, (3, 3), 16, 4), (4, (5, 5), 32, 2), (4, (6, 6), 32, 3), (3, (4, 7), 8, 1), (5, (9, 9), 24, 3)]


@pytest.mark.parametrize(("line", "board", "channels", "blocks"), SWIFT)
def test_native_code_answers_like_swift_net(line: int, board: tuple[int, int], channels: int, blocks: int) -> None:
    network = shaken(SwiftNet(channels, blocks, line))
    planes = some_planes(77, *board)
    by_torch, native_code = TorchEvaluator(network), evaluator_for(network, board, threads=2)
    assert isinstance(native_code, SwiftEvaluator)
    together = native_code(planes)
    for a, b in zip(by_torch(planes), together, strict=True):
        assert np.abs(a - b).max() < 1e-5
    assert by_torch(planes)[1].std() > 1e-4  # rows do differ
    for row in range(5):
        shares, value = SwiftEvaluator(network, board)(planes[row : row + 1])
        assert np.array_equal(together[0][row], shares[0])
        assert together[1][row] == value[0]


@pytest.mark.parametrize(("line", "board", "channels", "blocks"), SWIFT)
def test_native_gradients_are_those_of_pytorch(line: int, board: tuple[int, int], channels: int, blocks: int) -> None:
    network = shaken(SwiftNet(channels, blocks, line))
    planes = some_planes(45, *board)
    planes[:2, :2] = 0  # an empty board: many cells are greatest
    luck = np.random.default_rng(2)
    policy = luck.dirichlet(np.ones(board[0] * board[1]), 45).astype(np.float32)
    policy[3] = 0  # teaches no move
    value = luck.choice([-1, -0.3, 0, 0.5, 1], 45).astype(np.float32)
    rows = (torch.from_numpy(planes), torch.from_numpy(policy), torch.from_numpy(value))
    losses = TorchGradients(network)(*rows, 0.7)
    wanted = {name: parameter.grad for name, parameter in network.named_parameters()}
    found = []
    for threads in (1, 3):
        gradients = gradients_for(network, board, threads, "auto")
        assert isinstance(gradients, SwiftGradients)
        assert gradients(*rows, 0.7) == pytest.approx(losses, abs=1e-5)
        found.append({name: parameter.grad for name, parameter in network.named_parameters()})
    for name, gradient in wanted.items():
        one, three = (gradients[name] for gradients in found)
        assert gradient is not None
        assert one is not None
        assert three is not None
        assert (gradient - one).abs().max() < 1e-5 + 1e-4 * gradient.abs().max(), name
        assert gradient.abs().max() > 1e-4 or name == "policy_out.bias", name  # a softmax does not see that one
        assert torch.equal(one, three), name


def test_one_room_serves_boards_of_several_sizes() -> None:
    """Margins of one board are cells of another: nothing of it may be left there."""
    network = shaken(SwiftNet(8, 2, 4))
    for board in ((6, 6), (5, 5), (4, 6), (6, 6)):
        planes = some_planes(20, *board)
        for a, b in zip(TorchEvaluator(network)(planes), SwiftEvaluator(network, board)(planes), strict=True):
            assert np.abs(a - b).max() < 1e-5


def test_who_says_how_losses_change() -> None:
    assert isinstance(gradients_for(SwiftNet(12, 1), (5, 5), 1, "auto"), TorchGradients)
    assert isinstance(gradients_for(SwiftNet(8, 1), (5, 5), 1, "torch"), TorchGradients)
    assert isinstance(gradients_for(AlphaZeroNet(5, 16, 1), (5, 5), 1, "auto"), TorchGradients)
    assert isinstance(evaluator_for(SwiftNet(12, 1), (5, 5)), OnnxEvaluator)

    class Changed(SwiftNet):
        pass

    assert isinstance(gradients_for(Changed(8, 1), (5, 5), 1, "auto"), TorchGradients)
    assert isinstance(evaluator_for(Changed(8, 1), (5, 5)), OnnxEvaluator)


def test_a_tower_that_native_code_has_no_room_for_is_answered_by_onnx() -> None:
    assert isinstance(evaluator_for(AlphaZeroNet(5, 12, 1), (5, 5)), OnnxEvaluator)
    assert isinstance(evaluator_for(AlphaZeroNet(5, 16, 1), (5, 5), engine="onnx"), OnnxEvaluator)
    assert isinstance(evaluator_for(AlphaZeroNet(5, 16, 1), (5, 5), engine="torch"), TorchEvaluator)


def test_patterns_are_read_both_ways_and_to_the_edge() -> None:
    network = PatternNet(8, 0, line=4)
    shaken(network)
    planes = np.zeros((1, 3, 5, 5), np.float32)
    planes[0, 0, 2, 1], planes[0, 1, 2, 4] = 1, 1
    codes = network.codes(torch.from_numpy(planes))[0].reshape(5, 5, 4)
    # Row 2 around its middle, from three to the left to three to the right: off the board, empty, own, empty, ...
    assert [int(codes[2, 2, 0]) >> 2 * k & 3 for k in range(7)] == [3, 0, 1, 0, 0, 2, 3]
    assert [int(codes[0, 0, 3]) >> 2 * k & 3 for k in range(7)] == [3, 3, 3, 0, 3, 3, 3]
    forth = sum(digit << 2 * k for k, digit in enumerate((3, 0, 1, 0, 0, 2, 3)))
    back = sum(digit << 2 * k for k, digit in enumerate((3, 2, 0, 0, 1, 0, 3)))
    there, again = network.patterns(torch.tensor([forth, back]))
    assert torch.allclose(there, again, atol=1e-6)


def code_of(pattern: str) -> int:
    """`.` empty, `x` own, `o` the other's, `#` off the board."""
    return sum(".xo#".index(sign) << 2 * k for k, sign in enumerate(pattern))


@pytest.mark.parametrize(
    ("pattern", "read_as"),
    [
        ("....x....", "....x...."),
        ("...xooo.o", "...xooo.o"),  # a fifth stone wins
        ("xxx.xx.o.", "####xx.o."),  # a sixth does not
        (".xx.xxx.x", "####xxx.x"),
        ("o.xx.xxx.", "####.####"),  # in the middle, neither
        ("#ooo.ooo.", "####.####"),
        ("xxxxxx...", "####x####"),  # a row of six lies there already
        ("oo..xoooo", "oo..xoooo"),
    ],
)
def test_longer_lines_end_a_pattern_where_only_five_win(pattern: str, read_as: str) -> None:
    assert native.exact_patterns(4, 5)[code_of(pattern)] == code_of(read_as)


def test_a_pattern_network_heeds_exactly_five() -> None:
    """A sixth stone in a gap is not worth what a fifth is; everything else is judged as ever."""
    policy = load_board_network("gomoku-15x15")
    free, exact = Gomoku(15, 15, 5), Gomoku(15, 15, 5, "standard")
    gap = GomokuState(free, (48, 0, 49, 2, 50, 4, 52, 60, 53, 70))  # own stones in a row with a gap at 51
    plain = GomokuState(free, (48, 0, 49, 2))
    both = policy.evaluator(free), policy.evaluator(exact)
    (shares, _), (exact_shares, _) = (answers(planes_of([gap, plain])) for answers in both)
    assert shares[0].argmax() == 51
    assert exact_shares[0, 51] < 0.1 * shares[0, 51]
    assert np.array_equal(shares[1], exact_shares[1])
    policy.adapt(both[1], free)
    assert np.array_equal(both[1](planes_of([gap]))[0][0], shares[0])


@pytest.mark.parametrize(("channels", "blocks", "line"), [(8, 0, 3), (16, 2, 4), (32, 1, 5), (8, 1, 7)])
def test_shapes_are_those_of_the_network_that_learns(channels: int, blocks: int, line: int) -> None:
    weights = PatternNet(channels, blocks, line).weights()
    assert weight_shapes(channels, blocks, line) == {name: array.shape for name, array in weights.items()}


def test_a_pattern_network_plays_without_pytorch() -> None:
    program = (
        "import sys; sys.modules['torch'] = None\n"  # importing it fails
        "from zerosum.cli.board_players import board_player\n"
        "from zerosum.games.gomoku import Gomoku\n"
        "player = board_player('gomoku-15x15', 1)\n"
        "player.start(Gomoku(15, 15, 5), 0)\n"
        "print(player.move([], 0.05))\n"
        "from zerosum.cli.board_players import network_along\n"
        "assert [network_along(Gomoku(n, n, 5)).game.width for n in (5, 7, 11, 20)] == [9, 9, 9, 15]\n"
        "board_player('gomoku-5x5-4')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip().isdigit(), done.stderr
    assert done.stderr.endswith("SettingsError: PyTorch is not installed, wanted the extra 'train'\n")


def test_a_pattern_network_of_another_shape_is_refused(tmp_path: Path) -> None:
    game, settings = Gomoku(9, 9, 5), BoardNetworkSettings("pattern", 8, 1)
    good = PatternNet(8, 1).weights()
    wrongs = {
        r"weigh\.bias is missing, wanted \[64\]; make one with zerosum train": {
            name: array for name, array in good.items() if name != "weigh.bias"
        },
        r"got extra, which PatternNet does not have": {**good, "extra": np.zeros(1, np.float32)},
        r"tell\.weight is \[9, 64\], wanted \[8, 64\]": {**good, "tell.weight": np.zeros((9, 64), np.float32)},
        r"tell\.bias holds what is not a finite number": {**good, "tell.bias": np.full(8, np.nan, np.float32)},
    }
    for message, weights in wrongs.items():
        save_board_network(BoardNetwork(game, settings, weights, {}), tmp_path)
        with pytest.raises(PolicyError, match=r"network-[0-9a-f]+\.safetensors: " + message):
            load_board_network(tmp_path)


def test_what_native_code_refuses() -> None:
    network = PatternNet(8, 1, line=3)
    with pytest.raises(SettingsError, match="got onnx, wanted auto or torch"):
        evaluator_for(network, (5, 5), engine="onnx")
    weights = network.weights()
    with pytest.raises(ValueError, match="a row for every pattern"):
        native.PatternNet(pattern_table(weights)[1:], flat_layers(weights), reach=2, blocks=1, head=16, hidden=64)
    answers = native.PatternNet(pattern_table(weights), flat_layers(weights), reach=2, blocks=1, head=16, hidden=64)
    for codes in (np.zeros(5, np.uint32), np.full(4**5, 4**5, np.uint32)):
        with pytest.raises(ValueError, match="a pattern for every pattern, or none"):
            answers.read_as(codes)
    tower = AlphaZeroNet(5, 16, 1)
    for asked in (network, tower):
        with pytest.raises(ValueError, match="three planes"):
            evaluator_for(asked, (5, 5))(np.zeros((1, 2, 5, 5), np.float32))
    with pytest.raises(ValueError, match="the board that the network was made for"):
        evaluator_for(tower, (5, 5))(np.zeros((1, 3, 6, 6), np.float32))
    with pytest.raises(PolicyError, match=r"a network for a board of \(5, 5\), got planes of \(3, 6, 6\)"):
        AlphaZeroNet(5, 8, 1).predict(np.zeros((3, 6, 6), np.float32))
    swift = SwiftNet(8, 1, 4)
    with pytest.raises(ValueError, match="the board that the network was made for"):
        evaluator_for(swift, (5, 5))(np.zeros((1, 3, 6, 6), np.float32))
    with pytest.raises(ValueError, match="channels by the eight"):
        native.SwiftLearner(height=5, width=5, line=4, channels=12, blocks=1)
    with pytest.raises(ValueError, match="the weights of this shape"):
        native.SwiftNet(np.zeros(7, np.float32), height=5, width=5, line=4, channels=8, blocks=1)
    with pytest.raises(ValueError, match="shares of the cells"):
        SwiftGradients(swift, (5, 5))(torch.zeros(2, 3, 5, 5), torch.zeros(2, 24), torch.zeros(2), 1.0)
    with pytest.raises(ValueError, match="the weights of this shape"):
        native.ResidualNet(np.zeros(7, np.float32), height=5, width=5, channels=16, blocks=1)


@pytest.mark.parametrize("engine", ["onnx", "torch"])
def test_answers_do_not_depend_on_threads(engine: str) -> None:
    network = shaken(SwiftNet(8, 2))
    planes = some_planes(200, 6, 6)
    one, three = (evaluator_for(network, (6, 6), threads=threads, engine=engine)(planes) for threads in (1, 3))
    assert np.array_equal(one[0], three[0])
    assert np.array_equal(one[1], three[1])


@pytest.mark.parametrize("line", [3, 4, 5])
def test_line_windows_against_counting(line: int) -> None:
    height, width = 5, 7
    planes = some_planes(6, height, width)
    known = np.concatenate([planes, np.ones_like(planes[:, :1])], axis=1)
    found = LineWindows(line)(torch.from_numpy(known)).numpy()
    wanted = np.zeros_like(found)
    ways = ((0, 1), (1, 0), (1, 1), (1, -1))
    for row, side, way, y, x in product(range(6), range(2), range(4), range(height), range(width)):
        cells = [(y + i * ways[way][0], x + i * ways[way][1]) for i in range(line)]
        if all(0 <= a < height and 0 <= b < width and planes[row, 1 - side, a, b] == 0 for a, b in cells):
            stones = sum(planes[row, side, a, b] for a, b in cells)
            for step, (a, b) in product(range(-1, line - 1), cells):
                wanted[row, (4 * side + way) * line + step + 1, a, b] += max(0, stones - step) / line
    assert wanted.max() > 1
    assert np.abs(found - wanted).max() < 1e-5


def test_losses_fall() -> None:
    planes = torch.from_numpy(some_planes(64, 5, 5))
    policy = torch.softmax(3 * torch.randn(64, 25), dim=1)
    value = torch.randint(-1, 2, (64,)).float()
    for network in (AlphaZeroNet(5, 16, 1), SwiftNet(16, 2), PatternNet(16, 1)):
        adam = torch.optim.Adam(network.parameters(), 3e-3)
        seen = []
        for _ in range(60):
            policy_loss, value_loss = network.losses(planes, policy, value)
            adam.zero_grad()
            torch.autograd.backward(policy_loss + value_loss)
            adam.step()
            seen.append((policy_loss + value_loss).item())
        assert seen[-1] < 0.75 * seen[0]


def test_a_policy_on_disk(tmp_path: Path) -> None:
    game = Gomoku(5, 5, 4)
    settings = BoardNetworkSettings("swift", 8, 2)
    network = shaken(settings.build(game))
    origin = {"algorithm": "alphazero", "iterations": 3}
    save_board_network(BoardNetwork(game, settings, network.weights(), origin), tmp_path)
    found = load_board_network(tmp_path, game)
    planes = some_planes(3, 5, 5)
    assert np.array_equal(TorchEvaluator(found.network)(planes)[0], TorchEvaluator(network)(planes)[0])
    with pytest.raises(PolicyError, match=r"a policy for gomoku:size=5,line=4, wanted one for gomoku:size=6,line=4"):
        load_board_network(tmp_path, Gomoku(6, 6, 4))
    file = next(tmp_path.glob("network-*.safetensors"))
    file.write_bytes(file.read_bytes()[:-4])
    with pytest.raises(PolicyError, match="checksum"):
        load_board_network(tmp_path)
    file.unlink()
    with pytest.raises(PolicyError, match="cannot be read"):
        load_board_network(tmp_path)


def test_settings_are_checked() -> None:
    for wrong in ({"kind": "deep"}, {"channels": 0}, {"blocks": -1}):
        with pytest.raises(SettingsError):
            BoardNetworkSettings(**wrong)
    with pytest.raises(SettingsError, match="engine"):
        evaluator_for(SwiftNet(4, 1), (5, 5), engine="tpu")
